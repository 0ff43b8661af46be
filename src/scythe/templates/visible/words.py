"""Words that visible pages use around a product, in the languages that pages come in:
buttons, states of stock, what other amounts than the price are called; and words of
class names, which are English nearly everywhere.

Tables of phrases have them between bars. One that lacks a language costs what it would
have told there; none decides alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache

BUY_WORDS = """
    add to cart | add to basket | add to bag | add to trolley | buy now | buy it now |
    pre-order | preorder | order now | in den warenkorb | in den einkaufswagen |
    jetzt kaufen | zum warenkorb | ajouter au panier | acheter | añadir al carrito |
    añadir a la cesta | agregar al carrito | comprar | adicionar ao carrinho |
    aggiungi al carrello | acquista | in winkelwagen | in winkelmand | in mijn |
    toevoegen aan winkelwagen | lägg i varukorg | lägg i kundvagn | köp | læg i kurv |
    tilføj til kurv | legg i handlekurv | kjøp | lisää ostoskoriin | dodaj do koszyka |
    do koszyka | kup teraz | do košíku | přidat do košíku | vložit do košíku |
    do košíka | kosárba | sepete ekle | adaugă în coș | в корзину | добавить в корзину |
    купить | в кошик | купити | добави в количката | προσθήκη στο καλάθι |
    カートに入れる | カートに追加 | 買い物かご | 加入购物车 | 加入購物車 | 立即购买 |
    立即購買 | 장바구니 | 구매하기 | הוסף לסל | أضف إلى السلة
    """
"""What buttons say that put the page's product into the cart."""

OLD_PRICE_WORDS = """
    was | before | list price | list | rrp | msrp | reg | regular price | retail |
    original | originally | compare at | uvp | statt | bisher | vorher | ehemals |
    au lieu de | prix conseillé | avant | antes | pvpr | precio anterior | de | prima |
    invece di | listino | adviesprijs | van | ord | ordinarie pris | tidigare | før |
    førpris | vejl | norm | przed | cena regularna | najniższa cena | původně |
    běžná cena | eredeti ár | eski fiyat | старая цена | было | αρχική | 定価 | 原价 |
    정가
    """
OTHER_AMOUNT_WORDS = """
    save | saving | savings | you save | off | discount | shipping | delivery |
    postage | over | orders | order | spend | month | mo | week | installment |
    installments | instalments | payments | payment | interest | klarna | afterpay |
    affirm | paypal | deposit | gift | tax | vat | fee | per | subtotal | total |
    subscribe | subscription | auto-replenish | autoship | b-stock | used | points |
    reward | rewards | earn | credit | trade-in | apr | voucher | coupon | sparen |
    ersparnis | rabatt | versand | versandkosten | lieferung | ab | monat | mtl | rate |
    raten | zzgl | économisez | livraison | dès | mois | fois | remise | ahorra |
    ahorro | envío | envíos | mes | cuotas | plazos | descuento | frete | parcelas |
    sem juros | desconto | economize | spedizione | spedizioni | risparmi | rate da |
    mese | sconto | verzending | bezorging | bespaar | maand | korting | frakt | spara |
    månad | mån | fragt | spar | måned | levering | toimitus | kk | dostawa | dostawy |
    rat | oszczędzasz | taniej | rabat | doprava | ušetříte | sleva | szállítás |
    kargo | taksit | indirim | доставка | скидка | экономия | мес | 送料 | ポイント |
    运费 | 配送
    """
"""Words beside amounts that are no price of the product now: what it cost before, and
what is saved, paid by the month, or asked for sending it.
"""

RELATED_WORDS = frozenset(
    """
    related recommend recommended recommendation recommendations similar upsell upsells
    crosssell crosssells crossell carousel recently viewed bought bundle bundles
    minicart drawer header footer nav navigation menu megamenu comparison accessories
    alternatives suggestions popular bestsellers modal popup
    """.split()
)
"""Words of class names and ids around what is not the page's own product."""
CART_WORDS = frozenset("cart basket bag trolley".split())
CART_PART_WORDS = frozenset("mini side summary item items total totals content".split())
"""Words that together say a cart, other than the button that puts something into it."""
PRICE_CLASS_WORDS = frozenset(
    "price prices pricing amount money cost preis prix precio prezzo preco prijs cena fiyat "
    "hinta pris".split()
)
CURRENT_CLASS_WORDS = frozenset(
    "sale sales special final current now actual new offer discounted reduced our "
    "selling main product".split()
)
OLD_CLASS_WORDS = frozenset(
    "old was regular list compare compared strike striked strikethrough crossed rrp "
    "msrp original before previous retail through srp uvp reference".split()
)
OTHER_CLASS_WORDS = frozenset(
    "saving savings save discount installment installments instalment monthly finance "
    "financing shipping delivery unit tax vat klarna afterpay affirm sezzle paypal "
    "points reward rewards badge total subtotal deposit tier coupon voucher".split()
)
"""Words of class names of elements that hold a price, the price now, the price before,
and an amount that is none.
"""

STOCK_PHRASES: Mapping[str, str] = {
    "OutOfStock": """
        out of stock | sold out | currently unavailable | not available |
        no longer in stock | temporarily unavailable | unavailable |
        notify me when available | email me when available | notify me |
        nicht auf lager | ausverkauft | nicht verfügbar | nicht lieferbar |
        derzeit nicht verfügbar | vergriffen | rupture de stock | en rupture | épuisé |
        indisponible | non disponible | agotado | sin stock | no disponible | esgotado |
        indisponível | sem estoque | esaurito | non disponibile | uitverkocht |
        niet op voorraad | niet beschikbaar | slut i lager | slutsåld | ej i lager |
        udsolgt | ikke på lager | utsolgt | loppu | loppuunmyyty | ei varastossa |
        niedostępny | produkt niedostępny | brak w magazynie | wyprzedane | vyprodáno |
        není skladem | nedostupné | vypredané | elfogyott | nincs készleten |
        nem elérhető | tükendi | stokta yok | нет в наличии | распродано |
        немає в наявності | εξαντλήθηκε | εξαντλημένο | μη διαθέσιμο | 在庫切れ |
        売り切れ | 品切れ | 缺货 | 售罄 | 无货 | 已售完 | 품절 | 일시품절 | אזל מהמלאי |
        غير متوفر
        """,
    "PreOrder": """
        pre-order | preorder | pre order | available for pre-order | vorbestellen |
        vorbestellbar | précommande | précommander | en précommande | reserva |
        preventa | pré-venda | preordine | preordina | pre-orderen | förbeställ |
        förhandsboka | forudbestil | forhåndsbestill | ennakkotilaus | przedsprzedaż |
        předobjednávka | předobjednat | előrendelés | ön sipariş | предзаказ |
        προπαραγγελία | 予約 | 予約受付中 | 预订 | 预售 | 예약구매
        """,
    "BackOrder": """
        backorder | back order | back-order | on backorder | available on backorder |
        auf bestellung | nachbestellt | sur commande | bajo pedido | sob encomenda |
        su ordinazione | op bestelling | beställningsvara | na zamówienie |
        na objednávku | под заказ | κατόπιν παραγγελίας | 取り寄せ
        """,
    "Discontinued": """
        discontinued | no longer available | product discontinued |
        nicht mehr lieferbar | nicht mehr verfügbar | produit arrêté | descatalogado |
        descontinuado | fuori produzione | niet meer leverbaar | utgått | udgået |
        poistunut valikoimasta | wycofany | ukončený prodej | prodej ukončen |
        снят с производства | καταργημένο | 販売終了 | 生産終了 | 停产 | 已下架 | 단종
        """,
    "InStock": """
        in stock | available | available now | in stock now | ready to ship |
        ships today | usually ships within | in stock online | auf lager |
        sofort lieferbar | lieferbar | verfügbar | vorrätig | sofort verfügbar |
        en stock | disponible | expédié sous | disponível | em estoque | in magazzino |
        disponibile | disponibile subito | op voorraad | beschikbaar | leverbaar |
        i lager | finns i lager | på lager | tilgængelig | tilgjengelig | varastossa |
        saatavilla | dostępny | w magazynie | na stanie | skladem | skladom |
        na sklade | raktáron | készleten | stokta | stokta var | în stoc | в наличии |
        есть в наличии | в наявності | є в наявності | διαθέσιμο | άμεσα διαθέσιμο |
        在庫あり | 有货 | 现货 | 재고있음 | במלאי | متوفر
        """,
}
"""What pages say of the stock, by schema.org's words for it, the more telling first."""

REVIEW_NOUNS = r"""
    reviews? | ratings? | customer reviews? | customer ratings? | global ratings |
    votes? | bewertung(?:en)? | kundenbewertung(?:en)? | rezension(?:en)? | avis |
    évaluations? | notes | opiniones | opinión | reseñas? | valoraciones | valoración |
    calificaciones | avaliações | avaliação | opiniões | recension[ie] |
    valutazion[ie] | beoordeling(?:en)? | reviews | recensies? | recension(?:er)? |
    omdömen? | betyg | anmeldelser? | vurderinger | arvostelua? | arviota? | opinii |
    opinie | opinia | ocen[ay]? | recenz[ií]e? | hodnocení | hodnotení | értékelés |
    vélemény | değerlendirme | yorum | recenzii | отзыв\w{0,2} | оцен\w{1,2} |
    відгук\w{0,2} | αξιολογήσεις | κριτικές | 件のレビュー | レビュー | 件の評価 | 件 |
    条评论 | 条评价 | 个评价 | 개의 리뷰 | 리뷰
    """
"""Nouns behind the number of reviews, as regular expressions."""


def split_words(listed: str) -> list[str]:
    """Return the entries of a table, which stand between bars."""
    entries = (" ".join(entry.split()) for entry in listed.split("|"))
    return [entry for entry in entries if entry]


@lru_cache(maxsize=1 << 14)
def folded(label: str) -> str:
    """Return a label as tables have it: lower case, without marks around it."""
    collapsed = " ".join(label.split())
    return collapsed.strip(" :\uff1a.-\u2013\u2014*#•|?>").casefold()


@cache
def word_pattern(listed: str) -> re.Pattern[str]:
    """Return an expression for any entry of a table as whole words; scripts without
    spaces match anywhere.
    """
    entries = map(re.escape, split_words(listed))
    longest_first = sorted(entries, key=len, reverse=True)
    either = "|".join(longest_first)
    return re.compile(
        rf"(?<![a-zà-ÿа-яα-ω])(?:{either})(?![a-zà-ÿа-яα-ω])", re.IGNORECASE
    )
