"""Pages that are a form for an account: a login, a registration, a new password.

Nearly every page has such a form somewhere. One that is nothing else says so in its
title, in its top heading or in its address; a heading over a box at the side says
nothing of the page. The words are of the languages that most pages are in.
"""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlsplit

import numpy as np

from scythe.content.walls.page_words import PageWords
from scythe.tree.phrases import Phrases
from scythe.tree.tags import TagSet
from scythe.tree.tree import Tree

LOGIN = "it asks for a login."
ACCOUNT = "it is a form for an account: a registration or a new password."

_MAX_WORDS = 8
"""Words of a title or heading that names a form; longer ones are those of articles about
accounts. A plain bound, not tuned.
"""
_NOT_LETTERS = re.compile(r"[^a-z]+")
_MODES = frozenset(("mode", "action", "do"))
"""What old programs call the parameter that says which of their pages this is."""
_PATH_PARTS = 2
"""Last parts of an address that are read: `/account/login`. Not tuned."""
_EXPLANATION = re.compile(
    r"(?:how|why|what|when|where|wie|warum|comment|pourquoi|c[oó]mo|come|hoe|jak|как"
    r"|如何|怎么)\b",
    re.IGNORECASE,
)
"""How the title of a text about accounts begins."""


LOGIN_WORDS = Phrases(
    (
        "log sign authenti anmeld connexion connect identif inicia acceso entrar autenti "
        "accedi accesso meld kirjaudu prihl bejelentkez belep prisijun prijava conectare"
    ).split(),
    r"\b(?:log|sign)[ -]?(?:in|on)\b",
    r"\blogin",
    r"\bauthenti[ck]ation\b|\bauthentifizierung\b",
    r"\b(?:anmelden|anmeldung|einloggen)\b",
    r"\b(?:connexion|connectez-vous|se connecter|identifiez-vous|identification)\b",
    r"\b(?:iniciar sesi[oó]n|inicia sesi[oó]n|acceso de usuarios|identif[ií]cate)\b",
    r"\b(?:iniciar sess[aã]o|fazer login|entrar|autentique-se)\b",
    r"\b(?:accedi|accesso utenti)\b",
    r"\b(?:inloggen|meld (?:u|je) aan|logga in|log ind|logg inn|kirjaudu)\b",
    r"\b(?:zaloguj|logowanie|p[rř]ihl[aá][sš]en[ií]|bejelentkez[eé]s|bel[eé]p[eé]s)\b",
    r"\b(?:prisijunkite|prisijungti|prijava|autentificare|conectare)\b",
    r"\b(?:войти|вход|авторизация|аутентификация|вхід)\b",
    r"\b(?:giriş yap|üye girişi|đăng nhập|σύνδεση)",
    "登录|登入|登陆|ログイン|로그인|تسجيل الدخول|ورود به",
)
REGISTRATION_WORDS = Phrases(
    (
        "create sign regist new konto inscri compte cuenta criar cadastr crea aanmaken "
        "medlem opret rejestr regisztr"
    ).split(),
    r"\bcreate (?:an?|your|my|new)\b(?: \w+){0,2} (?:account|profile)\b",
    r"\b(?:sign[ -]?up|regist(?:er|ration))\b",
    r"\bnew (?:user|customer|member|account)\b",
    r"\b(?:registrieren|registrierung|konto (?:erstellen|anlegen))\b",
    r"\b(?:inscription|s'inscrire|inscrivez-vous|cr[eé]er (?:un|mon) compte)\b",
    r"\b(?:registrarse|reg[ií]strate|registro|crear (?:una )?cuenta)\b",
    r"\b(?:criar (?:uma )?conta|cadastro|cadastre-se|registar)\b",
    r"\b(?:registrati|registrazione|crea (?:un )?account)\b",
    r"\b(?:registreren|account aanmaken|bli medlem|skapa konto|opret (?:konto|bruger))\b",
    r"\b(?:rejestracja|zarejestruj|utwórz konto|załóż konto|registrace|regisztr[aá]ci[oó])\b",
    r"\b(?:registracija|înregistrare)\b",
    r"\b(?:регистрация|зарегистрироваться|реєстрація)\b",
    r"\b(?:üye ol|đăng ký|εγγραφή)",
    "注册|註冊|会員登録|新規登録|회원가입|ثبت نام|إنشاء حساب",
)
RECOVERY_WORDS = Phrases(
    (
        "password username login passwort kennwort passe contrasena senha wachtwoord "
        "losenord adgangskode passord kodeord hasl heslo jelsz slaptazod"
    ).split(),
    r"\b(?:forgot(?:ten)?|lost|reset|recover|retrieve|change)(?:/\w+)? "
    r"(?:your |my |the )?(?:password|username|login)\b",
    r"\b(?:request|send|get) (?:a )?(?:new password|password reset)\b",
    r"\bpassword (?:reset|recovery|retrieval|reminder|assistance|help)\b",
    r"\b(?:passwort|kennwort) (?:vergessen|zur[uü]cksetzen)\b",
    r"\bmot de passe (?:oubli[eé]|perdu)",
    r"\b(?:recuperar|olvid\w+|restablecer)(?: su| tu| la| mi)? contrase[nñ]a\b",
    r"\b(?:recuperar|esqueci|esqueceu|redefinir)(?: a| sua| minha)? (?:senha|password)\b",
    r"\b(?:password dimenticata|recuper[ao] (?:la )?password)\b",
    r"\bwachtwoord (?:vergeten|opvragen|herstellen)\b",
    r"\b(?:gl[oö]mt|[aå]terst[aä]ll)(?: ditt)? l[oö]senord",
    r"\b(?:glemt|nulstil)(?: din| ditt)? (?:adgangskode|passord|kodeord)",
    r"\b(?:zapomnia\w+|odzyskaj|odzyskiwanie|przypomnij|resetuj)(?: swo\w+)? has[lł]",
    r"\bzapomenut[eé] heslo|\belfelejtett jelsz[oó]|\bslapta[zž]od[zž]io priminimas",
    "(?:восстановление|забыли|забыл)(?: свой)? парол|забравена парола",
    r"\bşifremi unuttum|\bquên mật khẩu",
    "忘记密码|找回密码|忘記密碼|重置密码|パスワードを(?:お)?忘れ|비밀번호 찾기",
)
_LOGIN_ADDRESS = re.compile(r"(?:login|logon|signin|signon)(?:form|page)?\Z")
_ACCOUNT_ADDRESS = re.compile(
    r"(?:signup|register|registration|registeraccount|createaccount|newaccount"
    r"|accountcreate|(?:forgot|forgotten|lost|reset|recover|find|send|request)?"
    r"(?:your)?password(?:forgotten|lost|reset|recovery|reminder)?)\Z"
)
_INPUTS = TagSet("input")


def named_account_form(words: PageWords, url: str | None) -> str:
    """Return which form for an account a page calls itself, as a note; empty where it
    calls itself something else.
    """
    texts = [text for text in words.own_names if _can_name_form(text)]
    if LOGIN_WORDS.are_in_any(texts):
        return LOGIN
    if REGISTRATION_WORDS.are_in_any(texts) or RECOVERY_WORDS.are_in_any(texts):
        return ACCOUNT
    return _named_by_address(url)


def has_account_form(tree: Tree) -> bool:
    """Return whether a page has a form for an account: with a password, or one that
    takes the address to send a new one to.
    """
    if has_password(tree):
        return True
    inputs = np.flatnonzero(tree.has_tag(_INPUTS)).tolist()
    names = tree.attribute_values("name", inputs)
    return any(map(_is_account_field, names))


def has_password(tree: Tree) -> bool:
    """Return whether a page has a field for a password."""
    types = tree.with_attribute("type").values()
    return any(value.strip().lower() == "password" for value in types)


def _is_account_field(name: str | None) -> bool:
    words = (name or "").lower()
    return any(word in words for word in ("mail", "user", "login", "account"))


def _can_name_form(text: str) -> bool:
    is_short = len(text.split()) <= _MAX_WORDS
    return is_short and not _EXPLANATION.match(text)


def _named_by_address(url: str | None) -> str:
    """Return the note of the form that an address ends with the name of."""
    if not url:
        return ""
    try:
        address = urlsplit(url)
    except ValueError:
        return ""
    names = address.path.rstrip("/").split("/")[-_PATH_PARTS:]
    for name, value in parse_qsl(address.query):
        if name in _MODES:
            names.append(value)
    for name in names:
        stem = name.partition(".")[0]
        letters = _NOT_LETTERS.sub("", stem.lower())
        if _LOGIN_ADDRESS.search(letters):
            return LOGIN
        if _ACCOUNT_ADDRESS.match(letters):
            return ACCOUNT
    return ""
