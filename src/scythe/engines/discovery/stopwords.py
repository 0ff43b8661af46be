"""Word lists of our own: words that make no query, and frequent ones that most sites
will find something for.
"""

from __future__ import annotations

STOPWORDS = frozenset(
    """
    about above after again against also although always among another around
    because been before being below between both cannot could does doing done down
    during each either else even ever every from further have having here hers
    herself himself into itself just like made make many more most much must myself
    near need never none nothing often once only other others ours over perhaps
    rather same several shall should since some still such than that their theirs
    them then there therefore these they this those through thus together toward
    under until upon very want well were what when where whether which while whom
    whose will with within without would your yours yourself home login logout
    register sign password account contact imprint privacy cookie cookies terms help
    sitemap menu skip jump main content navigation search searching find results
    result next previous page pages back click here read show hide view close submit
    reset advanced options match matching words keyword keywords phrase query sort
    display default html http https index aber alle allem allen aller alles also
    andere auch beim bereits dabei damit dann dass deine dem denn deren dessen
    dieser dieses durch eine einem einen einer eines euer haben hatte hier ihre
    ihrem ihren ihrer immer jede jeder kann kein keine machen mehr mein meine muss
    nach nicht noch oder ohne schon sehr sein seine seit sich sind soll sowie über
    unter viel wenn werden wieder wird wurde zwischen suche suchen ainsi alors aussi
    autre autres avant avec avoir cela celle celui cette ceux chez comme dans depuis
    deux donc elle elles encore entre être leur leurs mais même mêmes moins notre
    nous parce pendant peut plus pour quand quel quelle sans sera sont sous toujours
    tous tout toute toutes très votre vous recherche accueil antes aquel aquella
    como contra cuando desde donde durante ella ellas ellos entre esta estas este
    estos hasta hace mientras mucho nada otra otro otros para pero porque puede
    puesto según sido siempre sino sobre también tanto tiene toda todas todo todos
    buscar anche ancora come contro dalla dalle della delle dello dopo dove essere
    fatto gli hanno molto nella nelle nostro ogni perché però poco prima quale
    quando quella quello questa queste questi questo senza solo sono stata stato
    sulla tutti tutto cerca
    """.split()
)
"""Words without a meaning of their own, in a few languages, and those that every page
has around its content.
"""

_FREQUENT = {
    "en": (
        "system time work information people world book data water house "
        "history music language family light black program test user name paper "
        "story blue city"
    ),
    "de": (
        "zeit jahr haus welt leben arbeit wasser buch stadt musik geschichte system"
    ),
    "fr": (
        "temps monde maison vie travail livre ville histoire musique eau jour projet"
    ),
    "es": ("tiempo vida mundo casa trabajo libro ciudad historia música agua sistema"),
    "it": "tempo vita mondo casa lavoro libro città storia musica acqua sistema",
    "pt": ("tempo vida mundo casa trabalho livro cidade história música água sistema"),
    "nl": "tijd wereld huis leven werk boek stad geschiedenis muziek water",
    "sv": "tid värld hus liv arbete bok stad historia musik vatten",
    "pl": "czas świat dom życie praca książka miasto historia muzyka woda",
    "cs": "čas svět dům život práce kniha město historie hudba voda",
    "ru": "время мир дом жизнь работа книга город история музыка вода",
    "uk": "час світ дім життя робота книга місто історія музика вода",
    "tr": "zaman dünya ev hayat kitap şehir tarih müzik su",
    "zh": "中国 时间 世界 生活 工作 学生 历史 音乐 城市 系统",
    "ja": "日本 時間 世界 生活 仕事 学生 歴史 音楽 都市",
    "ko": "시간 세계 생활 한국 학생 역사 음악 도시",
    "ar": "العالم الحياة كتاب المدينة تاريخ العمل",
}
FREQUENT_WORDS: dict[str, tuple[str, ...]] = {
    language: tuple(words.split()) for language, words in _FREQUENT.items()
}
"""Nouns that most collections of texts have, by language: the queries where a site shows
no words of its own.
"""
