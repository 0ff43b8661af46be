"""Labels beside values, by which visible pages name the fields of their record, in the
languages that pages come in.

Each table has the labels of a field between bars, lower case. A label that a table
lacks costs the value beside it; nothing else depends on it. Where fields share a label
("Where" is a venue or a place), the first one has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from scythe.templates.visible.words import folded, split_words

_PRODUCT_LABELS = {
    "brand": """
        brand | brand name | manufacturer | manufactured by | made by | maker | make |
        vendor | marke | hersteller | marque | fabricant | marca | fabricante |
        produttore | merk | fabrikant | märke | varumärke | tillverkare | mærke |
        producent | merke | produsent | merkki | valmistaja | marka | výrobce | značka |
        výrobca | gyártó | márka | üretici | бренд | производитель | марка | виробник |
        μάρκα | κατασκευαστής | ブランド | メーカー | 品牌 | 厂商 | 브랜드 | 제조사
        """,
    "sku": """
        sku | item | item no | item number | item code | item # | product code |
        product number | product no | product id | part number | part no | model |
        model number | model no | mpn | article number | reference | ref |
        artikelnummer | artikel-nr | artikelnr | art.-nr | art.nr | bestellnummer |
        modellnummer | référence | réf | referencia | código | código de producto |
        modelo | referência | código do produto | codice | codice prodotto |
        codice articolo | modello | varenummer | varenr | tuotenumero | tuotekoodi |
        kod produktu | numer katalogowy | kód | kód produktu | kód zboží |
        katalogové číslo | cikkszám | termékkód | ürün kodu | stok kodu | артикул |
        код товара | модель | κωδικός | κωδικός προϊόντος | 型番 | 商品コード | 品番 |
        型号 | 货号 | 모델명 | 상품코드
        """,
    "gtin": """
        gtin | gtin-13 | ean | ean code | ean-code | ean-13 | upc | isbn | isbn-13 |
        isbn-10 | isbn13 | isbn 13 | barcode | código de barras | code-barres |
        штрихкод | jan | janコード
        """,
    "color": """
        color | colour | farbe | couleur | cor | colore | kleur | färg | farve | farge |
        väri | kolor | barva | szín | renk | цвет | χρώμα | カラー | 色 | 颜色 | 색상
        """,
    "category": """
        category | categories | kategorie | kategorien | catégorie | catégories |
        categoría | categorías | categoria | categorie | kategori | luokka | kategoria |
        kategória | категория | κατηγορία | カテゴリー | 分类 | 카테고리
        """,
    "author": """
        author | authors | by | autor | auteur | autore | författare | forfatter |
        kirjailija | szerző | yazar | автор | συγγραφέας | 著者 | 作者 | 저자
        """,
    "publisher": """
        publisher | verlag | éditeur | editorial | editora | editore | uitgever |
        uitgeverij | förlag | forlag | kustantaja | wydawnictwo | nakladatelství |
        kiadó | yayınevi | издательство | εκδότης | 出版社 | 출판사
        """,
    "released": """
        publication date | pub. date | pub date | published | release date |
        erscheinungsdatum | erscheinungstermin | veröffentlichung | date de parution |
        date de sortie | fecha de publicación | fecha de lanzamiento |
        data de publicação | data di pubblicazione | verschijningsdatum |
        utgivningsdatum | udgivelsesdato | utgivelsesdato | julkaisupäivä |
        data wydania | datum vydání | megjelenés | yayın tarihi | дата выхода |
        дата издания | ημερομηνία έκδοσης | 発売日 | 出版日期 | 출간일
        """,
    "availability": """
        availability | stock | stock status | verfügbarkeit | lieferbarkeit |
        disponibilité | disponibilidad | disponibilidade | disponibilità |
        beschikbaarheid | voorraad | lagerstatus | tilgængelighed | saatavuus |
        dostępność | dostupnost | dostupnosť | elérhetőség | készlet | stok durumu |
        наличие | наявність | διαθεσιμότητα | 在庫 | 库存 | 재고
        """,
    "price": """
        price | our price | sale price | current price | now | msrp | preis |
        unser preis | prix | precio | preço | prezzo | prijs | pris | hinta | cena |
        ár | fiyat | цена | ціна | τιμή | 価格 | 販売価格 | 价格 | 售价 | 가격 | 판매가
        """,
}
_JOB_LABELS = {
    "company": """
        company | company name | employer | organization | organisation |
        hiring organization | hiring company | posted by | recruiter | firma |
        unternehmen | arbeitgeber | entreprise | société | employeur | recruteur |
        empresa | compañía | empleador | empregador | azienda | datore di lavoro |
        bedrijf | werkgever | organisatie | företag | arbetsgivare | virksomhed |
        arbejdsgiver | bedrift | arbeidsgiver | yritys | työnantaja | pracodawca |
        zaměstnavatel | společnost | cég | munkáltató | şirket | işveren | компания |
        работодатель | організація | компанія | εταιρεία | εργοδότης | 会社名 | 会社 |
        企業名 | 公司 | 公司名称 | 회사 | 회사명
        """,
    "location": """
        location | job location | work location | locations | place | place of work |
        city | where | office | standort | arbeitsort | ort | einsatzort | dienstort |
        lieu | lieu de travail | localisation | ubicación | lugar | lugar de trabajo |
        localidad | localização | local | local de trabalho | luogo | luogo di lavoro |
        sede | sede di lavoro | locatie | standplaats | plaats | plats | arbetsplats |
        sted | arbejdssted | arbeidssted | sijainti | työpaikka | paikka | lokalizacja |
        miejsce pracy | místo | místo výkonu práce | lokalita | munkavégzés helye |
        helyszín | konum | çalışma yeri | место работы | город | регион | місце роботи |
        τοποθεσία | 勤務地 | 所在地 | 工作地点 | 地点 | 근무지 | 근무지역
        """,
    "employment": """
        job type | employment type | employment | contract | contract type |
        position type | type of contract | type of employment | work type | type |
        schedule | hours | anstellungsart | beschäftigungsart | vertragsart |
        arbeitszeit | art der anstellung | type de contrat | contrat | type d'emploi |
        tipo de contrato | tipo de empleo | jornada | contrato | tipo de emprego |
        tipo di contratto | contratto | dienstverband | contracttype | soort contract |
        anställningsform | anställning | ansættelsesform | ansættelse | stillingstype |
        ansettelsesform | työsuhde | työsuhteen tyyppi | rodzaj umowy | typ umowy |
        wymiar pracy | druh pracovního poměru | typ úvazku | úvazek |
        foglalkoztatás jellege | munkaviszony | çalışma şekli | тип занятости |
        занятость | график работы | вид зайнятості | τύπος απασχόλησης | 雇用形態 |
        工作类型 | 工作性质 | 고용형태
        """,
    "salary": """
        salary | salary range | pay | pay range | wage | wages | compensation | rate |
        remuneration | gehalt | vergütung | lohn | entgelt | salaire | rémunération |
        salario | sueldo | retribución | salário | remuneração | stipendio |
        retribuzione | salaris | loon | lön | løn | lønn | palkka | wynagrodzenie |
        pensja | mzda | plat | fizetés | bér | maaş | ücret | зарплата |
        заработная плата | оплата | зарплатня | μισθός | αμοιβή | 給与 | 月給 | 年収 |
        薪资 | 薪水 | 급여 | 연봉
        """,
    "published": """
        posted | posted on | date posted | posted date | published | published on |
        publication date | date | veröffentlicht | veröffentlicht am | datum |
        online seit | publié | publié le | date de publication | publicado |
        publicado el | fecha de publicación | fecha | publicado em |
        data de publicação | pubblicato | pubblicato il | data di pubblicazione |
        geplaatst | geplaatst op | publicatiedatum | publicerad | publiceringsdatum |
        offentliggjort | oprettet | publisert | julkaistu | opublikowano |
        data publikacji | dodano | zveřejněno | datum zveřejnění | megjelent |
        feladás dátuma | yayınlanma tarihi | ilan tarihi | опубликовано |
        дата публикации | опубліковано | δημοσιεύτηκε | 掲載日 | 公開日 | 发布日期 |
        发布时间 | 등록일
        """,
    "valid_through": """
        closing date | deadline | application deadline | apply by | apply before |
        expires | expiry date | closes | valid until | valid through | bewerbungsfrist |
        bewerbungsschluss | gültig bis | date limite | date limite de candidature |
        date de clôture | fecha límite | fecha de cierre | prazo | data limite |
        scadenza | data di scadenza | sluitingsdatum | reageren voor |
        sista ansökningsdag | ansök senast | ansøgningsfrist | søknadsfrist |
        hakuaika päättyy | termin składania | aplikuj do | termin nadsyłania |
        uzávěrka | platí do | jelentkezési határidő | son başvuru tarihi | срок подачи |
        действительна до | дійсна до | προθεσμία | 応募締切 | 締切 | 截止日期 | 마감일
        """,
    "industry": """
        industry | industries | sector | job category | department | function |
        branche | bereich | secteur | secteur d'activité | industria | área | setor |
        settore | sektor | bransch | bransje | toimiala | branża | obor | iparág |
        sektör | отрасль | галузь | κλάδος | 業種 | 行业 | 업종
        """,
    "skills": """
        skills | required skills | requirements | qualifications | fähigkeiten |
        kenntnisse | compétences | habilidades | competências | competenze |
        vaardigheden | kompetenser | kompetencer | taidot | umiejętności | dovednosti |
        készségek | beceriler | навыки | навички | δεξιότητες | スキル | 技能 | 기술
        """,
}
_EVENT_LABELS = {
    "start": """
        when | date | dates | start | starts | start date | start time | date and time |
        date & time | event date | wann | datum | termin | beginn | quand | début |
        date de début | cuándo | fecha | inicio | fecha y hora | quando | data |
        início | data e hora | inizio | data inizio | wanneer | aanvang | när |
        startar | hvornår | dato | når | starter | milloin | aika | alkaa | ajankohta |
        kiedy | początek | rozpoczęcie | kdy | začátek | mikor | kezdés | időpont |
        dátum | ne zaman | tarih | başlangıç | когда | начало | дата | дата и время |
        коли | початок | πότε | έναρξη | ημερομηνία | 日時 | 開催日 | 開催日時 | 日程 |
        时间 | 日期 | 开始时间 | 일시 | 일정 | 날짜
        """,
    "end": """
        end | ends | end date | end time | until | ende | bis | fin | date de fin |
        fim | fine | data fine | einde | slut | slutar | slutter | loppuu | päättyy |
        koniec | zakończenie | konec | vége | bitiş | окончание | конец | кінець |
        λήξη | 終了 | 結束 | 结束时间 | 종료
        """,
    "venue": """
        venue | where | location | place | event location | hall | wo | ort |
        veranstaltungsort | où | lieu | salle | dónde | lugar | sede | recinto | onde |
        local | dove | luogo | waar | locatie | plaats | zaal | var | plats | lokal |
        hvor | sted | spillested | missä | paikka | gdzie | miejsce | kde | místo |
        místo konání | hol | helyszín | nerede | mekan | yer | где | место |
        место проведения | площадка | де | місце | πού | τοποθεσία | χώρος | 会場 |
        場所 | 地点 | 地點 | 場地 | 장소
        """,
    "location": """
        address | street address | adresse | anschrift | dirección | morada | endereço |
        indirizzo | adres | adress | osoite | adresa | cím | адрес | адреса |
        διεύθυνση | 住所 | 地址 | 주소
        """,
    "price": """
        price | cost | admission | tickets | ticket price | entry | fee | entrance |
        preis | eintritt | kosten | eintrittspreis | prix | tarif | tarifs | entrée |
        precio | entrada | entradas | coste | preço | ingresso | ingressos | bilhetes |
        prezzo | biglietto | costo | prijs | entree | toegang | pris | inträde | entré |
        billetpris | inngang | hinta | liput | pääsymaksu | cena | wstęp | bilety |
        vstupné | ár | belépő | jegyár | fiyat | giriş | bilet | цена | стоимость |
        вход | билеты | ціна | вартість | τιμή | είσοδος | 料金 | 入場料 | 票价 | 费用 |
        가격 | 입장료
        """,
    "organizer": """
        organizer | organiser | organized by | organised by | hosted by | host |
        presented by | veranstalter | organisator | organisateur | organisé par |
        organizador | organiza | organizado por | organizzatore | organizzato da |
        arrangör | arrangør | järjestäjä | organizator | pořadatel | organizátor |
        szervező | rendező | organizatör | düzenleyen | организатор | організатор |
        διοργανωτής | διοργάνωση | 主催 | 主催者 | 主办方 | 主办单位 | 主辦單位 | 주최
        """,
    "performer": """
        performer | performers | artist | artists | line-up | lineup | speaker |
        speakers | cast | with | künstler | referent | referenten | mit | artiste |
        artistes | intervenant | intervenants | avec | artista | artistas | ponente |
        ponentes | palestrante | palestrantes | artisti | relatore | relatori |
        spreker | sprekers | artiest | artiesten | artister | talare | kunstner |
        esiintyjä | esiintyjät | wykonawca | wykonawcy | prelegent | účinkující |
        fellépő | fellépők | sanatçı | konuşmacı | исполнитель | артист | спикер |
        спикеры | виконавець | καλλιτέχνης | ομιλητής | 出演 | 出演者 | 演出者 |
        表演者 | 嘉宾 | 출연
        """,
}
LABELS: Mapping[str, Mapping[str, str]] = {
    "Product": _PRODUCT_LABELS,
    "JobPosting": _JOB_LABELS,
    "Event": _EVENT_LABELS,
}
"""For each schema the labels of its fields."""


@cache
def label_fields(schema_name: str) -> Mapping[str, str]:
    """Return for each label of a schema the field that it names."""
    fields: dict[str, str] = {}
    for name, listed in LABELS.get(schema_name, {}).items():
        for label in split_words(listed):
            fields.setdefault(folded(label), name)
    return fields
