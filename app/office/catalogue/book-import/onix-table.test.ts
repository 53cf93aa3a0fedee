import { describe, expect, it } from "vitest";
import { bookImportColumns, mapBookImportColumns } from "./book-import-columns.ts";
import { type BookTable, NOT_FOR_SALE } from "./book-table.ts";
import { planOf } from "./list-plan.ts";
import { readListState } from "./list-status.ts";
import { isOnix } from "./onix-start.ts";
import { readOnixTable } from "./onix-table.ts";

const now = new Date("2026-11-30T12:00:00Z");

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const read = (message: string | Uint8Array, size = 100_000) =>
  readOnixTable(inPieces(typeof message === "string" ? Buffer.from(message) : message, size), 1_000, now);

/** The rows by heading, without what is empty. */
const cellsOf = ({ headings, rows }: BookTable) =>
  rows.map(({ cells }) =>
    Object.fromEntries(
      headings.map((heading, at) => [heading, cells[at] ?? ""]).filter(([, cell]) => cell !== ""),
    ),
  );

const message = (...products: string[]) =>
  `<ONIXMessage release="3.0">\n${products.join("\n")}\n</ONIXMessage>`;
/** A product of the blocks that a test is about. */
const product = ({ descriptive = "", collateral = "", publishing = "", supply = "", more = "" }) => `<Product>
  <RecordReference>r</RecordReference><NotificationType>03</NotificationType>
  <ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>9780306406157</IDValue></ProductIdentifier>${more}
  <DescriptiveDetail><ProductForm>BC</ProductForm>${descriptive}</DescriptiveDetail>
  <CollateralDetail>${collateral}</CollateralDetail><PublishingDetail>${publishing}</PublishingDetail>
  <ProductSupply><SupplyDetail>${supply}</SupplyDetail></ProductSupply>
</Product>`;
const titleText = (text: string) =>
  `<TitleDetail><TitleType>01</TitleType><TitleElement><TitleElementLevel>01</TitleElementLevel><TitleText>${text}</TitleText></TitleElement></TitleDetail>`;
const firstOf = async (...products: string[]) => cellsOf(await read(message(...products)))[0] ?? {};

const reference = `<?xml version="1.0" encoding="UTF-8"?>
<ONIXMessage release="3.1" xmlns="http://ns.editeur.org/onix/3.1/reference">
  <Header>
    <Sender><SenderName>Akwaaba Press</SenderName></Sender>
    <DefaultPriceType>02</DefaultPriceType><DefaultCurrencyCode>GBP</DefaultCurrencyCode>
  </Header>
  <Product>
    <RecordReference>com.akwaaba.1</RecordReference>
    <NotificationType>03</NotificationType>
    <ProductIdentifier><ProductIDType>01</ProductIDType><IDTypeName>SKU</IDTypeName><IDValue>AK-1</IDValue></ProductIdentifier>
    <ProductIdentifier><ProductIDType>03</ProductIDType><IDValue>9780306406157</IDValue></ProductIdentifier>
    <ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>9780306406157</IDValue></ProductIdentifier>
    <DescriptiveDetail>
      <ProductComposition>00</ProductComposition>
      <ProductForm>BC</ProductForm>
      <Collection>
        <CollectionType>10</CollectionType>
        <TitleDetail><TitleType>01</TitleType><TitleElement><TitleElementLevel>02</TitleElementLevel><TitleText>Golden English</TitleText></TitleElement></TitleDetail>
      </Collection>
      <TitleDetail>
        <TitleType>01</TitleType>
        <TitleElement>
          <SequenceNumber>1</SequenceNumber><TitleElementLevel>01</TitleElementLevel>
          <TitlePrefix>The</TitlePrefix><TitleWithoutPrefix>Talking Drum</TitleWithoutPrefix><Subtitle>A Reader &amp; Workbook</Subtitle>
        </TitleElement>
      </TitleDetail>
      <TitleDetail><TitleType>10</TitleType><TitleElement><TitleElementLevel>01</TitleElementLevel><TitleText>TALKING DRUM PB</TitleText></TitleElement></TitleDetail>
      <Contributor><SequenceNumber>2</SequenceNumber><ContributorRole>A12</ContributorRole><PersonNameInverted>Owusu, Kofi</PersonNameInverted></Contributor>
      <Contributor><SequenceNumber>1</SequenceNumber><ContributorRole>A01</ContributorRole><NamesBeforeKey>Ama Ɔba</NamesBeforeKey><KeyNames>Mensah</KeyNames></Contributor>
      <Contributor><SequenceNumber>3</SequenceNumber><ContributorRole>A24</ContributorRole><PersonName>Efua Preface</PersonName></Contributor>
      <Contributor><SequenceNumber>4</SequenceNumber><ContributorRole>B01</ContributorRole><PersonName>Yaw Editor</PersonName></Contributor>
      <Contributor><SequenceNumber>5</SequenceNumber><ContributorRole>A01</ContributorRole><UnnamedPersons>03</UnnamedPersons></Contributor>
      <EditionNumber>3</EditionNumber>
      <Subject><MainSubject/><SubjectSchemeIdentifier>93</SubjectSchemeIdentifier><SubjectCode>YPCA2</SubjectCode></Subject>
      <Subject><SubjectSchemeIdentifier>20</SubjectSchemeIdentifier><SubjectHeadingText>drums; reading; Ghana</SubjectHeadingText></Subject>
      <Subject><SubjectSchemeIdentifier>24</SubjectSchemeIdentifier><SubjectHeadingText>English Readers</SubjectHeadingText></Subject>
      <AudienceRange><AudienceRangeQualifier>17</AudienceRangeQualifier><AudienceRangePrecision>03</AudienceRangePrecision><AudienceRangeValue>7</AudienceRangeValue><AudienceRangePrecision>04</AudienceRangePrecision><AudienceRangeValue>9</AudienceRangeValue></AudienceRange>
      <AudienceRange><AudienceRangeQualifier>11</AudienceRangeQualifier><AudienceRangePrecision>03</AudienceRangePrecision><AudienceRangeValue>K</AudienceRangeValue><AudienceRangePrecision>04</AudienceRangePrecision><AudienceRangeValue>3</AudienceRangeValue></AudienceRange>
    </DescriptiveDetail>
    <CollateralDetail>
      <TextContent><TextType>02</TextType><ContentAudience>00</ContentAudience><Text>Short.</Text></TextContent>
      <TextContent><TextType>03</TextType><ContentAudience>00</ContentAudience><Text textformat="05"><p>Drums <em>speak</em>
        in <b>Kumasi</b>.</p><ul><li>Stories</li><li>Exercises</li></ul></Text></TextContent>
      <SupportingResource>
        <ResourceContentType>01</ResourceContentType><ContentAudience>00</ContentAudience><ResourceMode>03</ResourceMode>
        <ResourceVersion><ResourceForm>02</ResourceForm><ResourceVersionFeature><ResourceVersionFeatureType>02</ResourceVersionFeatureType><FeatureValue>200</FeatureValue></ResourceVersionFeature><ResourceLink>https://covers.example/small.jpg</ResourceLink></ResourceVersion>
        <ResourceVersion><ResourceForm>02</ResourceForm><ResourceVersionFeature><ResourceVersionFeatureType>02</ResourceVersionFeatureType><FeatureValue>900</FeatureValue></ResourceVersionFeature><ResourceLink>https://covers.example/large.jpg</ResourceLink></ResourceVersion>
      </SupportingResource>
    </CollateralDetail>
    <PublishingDetail>
      <Imprint><ImprintName>Drum Books</ImprintName></Imprint>
      <Publisher><PublishingRole>02</PublishingRole><PublisherName>Co-publisher</PublisherName></Publisher>
      <Publisher><PublishingRole>01</PublishingRole><PublisherName>Akwaaba Press</PublisherName></Publisher>
      <PublishingStatus>04</PublishingStatus>
      <PublishingDate><PublishingDateRole>01</PublishingDateRole><Date dateformat="00">20260301</Date></PublishingDate>
    </PublishingDetail>
    <RelatedMaterial>
      <RelatedProduct><ProductRelationCode>03</ProductRelationCode><ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>9789988991012</IDValue></ProductIdentifier></RelatedProduct>
      <RelatedProduct><ProductRelationCode>05</ProductRelationCode><ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>9789988991029</IDValue></ProductIdentifier></RelatedProduct>
    </RelatedMaterial>
    <ProductSupply>
      <SupplyDetail>
        <Supplier><SupplierRole>01</SupplierRole><SupplierName>Akwaaba</SupplierName></Supplier>
        <ProductAvailability>21</ProductAvailability>
        <Price><PriceAmount>12.99</PriceAmount></Price>
      </SupplyDetail>
    </ProductSupply>
  </Product>
  <Product>
    <RecordReference>com.akwaaba.2</RecordReference>
    <NotificationType>05</NotificationType>
    <ProductIdentifier><ProductIDType>02</ProductIDType><IDValue>019853453X</IDValue></ProductIdentifier>
  </Product>
</ONIXMessage>`;

const first = {
  ISBN: "9780306406157",
  Title: "The Talking Drum: A Reader & Workbook",
  Authors: "Ama Ɔba Mensah, Kofi Owusu and others",
  Publisher: "Akwaaba Press",
  Imprint: "Drum Books",
  Price: "12.99",
  Currency: "GBP",
  "Price type": "Retail price including tax",
  Edition: "3rd Edition",
  Series: "Golden English",
  Subject: "English Readers",
  "Grade level": "Kindergarten to Grade 3",
  "Age range": "7-9",
  Kind: "Book",
  "Publishing status": "04",
  Availability: "21",
  "Publication date": "2026-03-01",
  "Newer edition": "9789988991029",
  Replaces: "9789988991012",
  "Cover image": "https://covers.example/large.jpg",
  Description: "Drums speak in Kumasi.\n• Stories\n• Exercises",
  "Record reference": "com.akwaaba.1",
};

describe("an ONIX message", () => {
  it("has a row for each product, with the line on which it begins", async () => {
    const table = await read(reference);
    expect(table.rows.map(({ line }) => line)).toEqual([7, 69]);
    expect(cellsOf(table)).toEqual([
      first,
      { ISBN: "019853453X", "Publishing status": "No longer supplied", "Record reference": "com.akwaaba.2" },
    ]);
    expect(readListState("No longer supplied", "sale_state")?.state).toBe("last_copies");
  });

  it("has its columns understood without a question", async () => {
    const { headings, rows } = await read(reference);
    const { columns, ignored } = mapBookImportColumns(headings);
    expect(Object.keys(columns)).toEqual(
      expect.arrayContaining([
        "currency",
        "sale_state",
        "available_on",
        "availability",
        "imprint",
        "course",
        "newer_isbn",
      ]),
    );
    expect(ignored).toEqual(["Price type", "Replaces", "Record reference"]);
    const plan = planOf(rows, headings, columns);
    expect([...plan.currencies.foreign(plan.currencies.base ?? "")]).toEqual([["GBP", 1]]);
    expect(bookImportColumns.filter(({ headings }) => headings.split(" ").includes("pricetype"))).toEqual([]);
  });

  it("is read the same in short tags, in Latin-1, with a document type and its named letters", async () => {
    const short = `<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE ONIXmessage SYSTEM "http://www.editeur.org/onix/2.1/short/onix-international.dtd">
<ONIXmessage release="3.0">
<header><m186>GBP</m186><x310>02</x310></header>
<product>
<a001>s1</a001><a002>03</a002>
<productidentifier><b221>15</b221><b244>9780306406157</b244></productidentifier>
<descriptivedetail><x314>00</x314><b012>BB</b012>
<titledetail><b202>01</b202><titleelement><x409>01</x409><b203>Caf\u00e9 &eacute;t&eacute; &#8211; &Omega;</b203><b029>Book One</b029></titleelement></titledetail>
<contributor><b034>1</b034><b035>A01</b035><b036>Zo\u00eb &Scaron;im&oacute;n</b036></contributor>
<contributor><b034>2</b034><b035>A01</b035><b047>Ghana Book Trust</b047></contributor>
<b058>Revised edition</b058>
<subject><x425/><b067>10</b067><b069>MAT000000</b069></subject>
<audiencerange><b074>12</b074><b075>03</b075><b076>3</b076><b075>04</b075><b076>4</b076></audiencerange>
</descriptivedetail>
<collateraldetail><textcontent><x426>03</x426><x427>00</x427><d104 textformat="02"><![CDATA[<p>One &amp; two</p><p>Three</p>]]></d104></textcontent>
<supportingresource><x436>01</x436><resourceversion><x441>01</x441><x435>http://covers.example/1.jpg</x435></resourceversion></supportingresource></collateraldetail>
<publishingdetail><imprint><b079>Collins</b079></imprint><b394>02</b394><publishingdate><x448>01</x448><b306>202702</b306></publishingdate></publishingdetail>
<relatedmaterial><relatedproduct><x455>05</x455><productidentifier><b221>15</b221><b244>9789988991012</b244></productidentifier></relatedproduct></relatedmaterial>
<productsupply><supplydetail><j396>10</j396><price><j151>8.50</j151></price></supplydetail></productsupply>
</product>
</ONIXmessage>`;
    const bytes = Buffer.from(short, "latin1");
    expect(isOnix(bytes)).toBe(true);
    expect(cellsOf(await read(bytes))).toEqual([
      {
        ISBN: "9780306406157",
        Title: "Café été – Ω: Book One",
        Authors: "Zoë Šimón, Ghana Book Trust",
        Publisher: "Collins",
        Price: "8.50",
        Currency: "GBP",
        "Price type": "Retail price including tax",
        Edition: "Revised edition",
        Subject: "Mathematics",
        "Grade level": "Year 3-4",
        Kind: "Book",
        "Publishing status": "02",
        Availability: "10",
        "Publication date": "2027-02",
        "Newer edition": "9789988991012",
        "Cover image": "http://covers.example/1.jpg",
        Description: "One & two\n\nThree",
        "Record reference": "s1",
      },
    ]);
  });

  it("of release 2.1 is read, too", async () => {
    const old = `<ONIXMessage><Header><DefaultCurrencyCode>USD</DefaultCurrencyCode></Header>
<Product><RecordReference>o1</RecordReference><NotificationType>03</NotificationType>
<ProductIdentifier><ProductIDType>02</ProductIDType><IDValue>0306406152</IDValue></ProductIdentifier>
<ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>9780306406157</IDValue></ProductIdentifier>
<ProductForm>BC</ProductForm>
<Series><TitleOfSeries>Science Steps</TitleOfSeries><NumberWithinSeries>2</NumberWithinSeries></Series>
<Title><TitleType>01</TitleType><TitleText>Water</TitleText><Subtitle>Steps in Science</Subtitle></Title>
<Contributor><ContributorRole>B01</ContributorRole><PersonName>Esi Editor</PersonName></Contributor>
<EditionNumber>2</EditionNumber><BASICMainSubject>SCI000000</BASICMainSubject>
<OtherText><TextTypeCode>01</TextTypeCode><Text>About water.</Text></OtherText>
<MediaFile><MediaFileTypeCode>04</MediaFileTypeCode><MediaFileLinkTypeCode>01</MediaFileLinkTypeCode><MediaFileLink>https://covers.example/w.jpg</MediaFileLink></MediaFile>
<Publisher><PublisherName>Steps</PublisherName></Publisher><PublishingStatus>07</PublishingStatus><PublicationDate>2019</PublicationDate>
<RelatedProduct><RelationCode>05</RelationCode><ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>9789988991012</IDValue></ProductIdentifier></RelatedProduct>
<SupplyDetail><AvailabilityCode>OP</AvailabilityCode><Price><PriceTypeCode>01</PriceTypeCode><PriceAmount>5</PriceAmount></Price></SupplyDetail>
</Product></ONIXMessage>`;
    expect(cellsOf(await read(old))).toEqual([
      {
        ISBN: "9780306406157",
        Title: "Water: Steps in Science",
        Authors: "Esi Editor",
        Publisher: "Steps",
        Price: "5",
        Currency: "USD",
        "Price type": "Retail price excluding tax",
        Edition: "2nd Edition",
        Series: "Science Steps",
        Subject: "Science",
        Kind: "Book",
        "Publishing status": "07",
        Availability: "Out of print",
        "Publication date": "2019",
        "Newer edition": "9789988991012",
        "Cover image": "https://covers.example/w.jpg",
        Description: "About water.",
        "Record reference": "o1",
      },
    ]);
  });

  it("is the same whatever pieces it comes in, and in UTF-16", async () => {
    const whole = await read(reference);
    expect(await read(reference, 7)).toEqual(whole);
    const wide = reference.replace("UTF-8", "UTF-16");
    const little = Buffer.from(`\uFEFF${wide}`, "utf16le");
    expect(isOnix(little)).toBe(true);
    expect(await read(little, 1_001)).toEqual(whole);
    expect(await read(Buffer.from(wide, "utf16le").swap16())).toEqual(whole);
    expect(await read(`\uFEFF\r\n${reference}`)).toMatchObject({ rows: [{ line: 8 }, { line: 70 }] });
  });

  it("that is Windows text and does not say so is read as such", async () => {
    const text = `<?xml version="1.0" encoding="UTF-8"?>
${message(product({ descriptive: titleText("Café Maths") }))}`;
    const table = await read(Buffer.from(text, "latin1"));
    expect(table.encoding).toBe("Windows-1252");
    expect(cellsOf(table)[0]?.Title).toBe("Café Maths");
    await expect(read(text.replace("UTF-8", "KLINGON-1"))).rejects.toThrow(
      "The file says that it is written in the encoding KLINGON-1",
    );
  });

  it("in one line has lines that count its products", async () => {
    const line = message(
      ...["1", "2", "3"].map((title) => product({ descriptive: titleText(title) })),
    ).replaceAll("\n", " ");
    expect((await read(line)).rows.map((row) => row.line)).toEqual([1, 2, 3]);
  });

  it("is known by what it has, whatever comes before", () => {
    const known = (text: string) => isOnix(Buffer.from(text));
    expect(known(`\uFEFF\n<!-- list --><ns:ONIXMessage xmlns:ns="x">`)).toBe(true);
    expect(known(`<!DOCTYPE ONIXMessage [<!ENTITY a "${"x".repeat(100)}">]>`)).toBe(true);
    expect(known("<?xml version='1.0'?><html><p>ONIXMessage</p>")).toBe(false);
    expect(known("Title,Price\n<ONIXMessage>,45")).toBe(false);
  });
});

describe("a product's title", () => {
  const element = (level: string, inner: string) =>
    `<TitleElement><TitleElementLevel>${level}</TitleElementLevel>${inner}</TitleElement>`;
  const titled = (...elements: string[]) =>
    product({ descriptive: `<TitleDetail><TitleType>01</TitleType>${elements.join("")}</TitleDetail>` });

  it.each([
    [
      [
        element("01", "<PartNumber>Book 3</PartNumber>"),
        element("02", "<TitleText>Golden English</TitleText>"),
      ],
      "Golden English, Book 3",
    ],
    [
      [element("02", "<TitleText>Golden English</TitleText>"), element("01", "<PartNumber>3</PartNumber>")],
      "Golden English 3",
    ],
    [
      [
        element("02", "<TitleText>Reading Tree</TitleText><PartNumber>Level 5</PartNumber>"),
        element("01", "<TitleText>The Magic Key</TitleText>"),
      ],
      "Reading Tree, Level 5: The Magic Key",
    ],
    [
      [
        element("02", "<TitleText>Effective Maths</TitleText>"),
        element("01", "<TitleText>Effective Maths 4</TitleText><PartNumber>4</PartNumber>"),
      ],
      "Effective Maths 4",
    ],
    [
      [element("01", "<TitlePrefix>L’</TitlePrefix><TitleWithoutPrefix>École</TitleWithoutPrefix>")],
      "L’École",
    ],
    [
      [
        element(
          "01",
          "<NoPrefix/><TitleWithoutPrefix>Total English</TitleWithoutPrefix><PartNumber>2</PartNumber><Subtitle>Workbook</Subtitle>",
        ),
      ],
      "Total English 2: Workbook",
    ],
  ])("is written as a person would: %#", async (elements, title) => {
    expect((await firstOf(titled(...elements))).Title).toBe(title);
  });
});

describe("a product's price", () => {
  const price = (amount: string, currency: string, type: string, more = "") =>
    `<Price><PriceType>${type}</PriceType><PriceAmount>${amount}</PriceAmount><CurrencyCode>${currency}</CurrencyCode>${more}</Price>`;
  const territory = (inner: string) => `<Territory>${inner}</Territory>`;
  const priced = async (...prices: string[]) => {
    const {
      Price,
      Currency,
      "Price type": words,
      "Net trade price": net,
    } = await firstOf(product({ supply: prices.join("") }));
    return [Price, Currency, words, net];
  };

  it("is the one in cedis, then one for Ghana, then with tax, then without", async () => {
    const us = price("20", "USD", "02", territory("<CountriesIncluded>US CA</CountriesIncluded>"));
    const world = price("12", "GBP", "01", territory("<RegionsIncluded>WORLD</RegionsIncluded>"));
    const ghana = price("9", "EUR", "01", territory("<CountriesIncluded>NG GH</CountriesIncluded>"));
    const cedis = price("150", "GHS", "01");
    expect(await priced(us, world, ghana, cedis)).toEqual([
      "150",
      "GHS",
      "Retail price excluding tax",
      undefined,
    ]);
    expect((await priced(us, world, ghana)).slice(0, 2)).toEqual(["9", "EUR"]);
    expect((await priced(us, world)).slice(0, 2)).toEqual(["12", "GBP"]);
    expect(await priced(us)).toEqual(["20", "USD", "Retail price including tax, not for Ghana", undefined]);
    expect(
      (await priced(price("10", "GBP", "01"), price("12", "GBP", "02"), price("12", "GBP", "02")))[0],
    ).toBe("12");
    const without = territory(
      "<RegionsIncluded>WORLD</RegionsIncluded><CountriesExcluded>GH</CountriesExcluded>",
    );
    expect((await priced(price("10", "GBP", "02", without), price("11", "USD", "01")))[0]).toBe("11");
    const oldWithout = "<Territory>WORLD</Territory><CountryExcluded>NG GH</CountryExcluded>";
    expect((await priced(price("10", "GBP", "02", oldWithout), price("11", "USD", "01")))[0]).toBe("11");
  });

  it("is what everybody pays for one copy today", async () => {
    const from = (day: string) =>
      `<PriceDate><PriceDateRole>14</PriceDateRole><Date>${day}</Date></PriceDate>`;
    const until = (day: string) =>
      `<PriceDate><PriceDateRole>15</PriceDateRole><Date>${day}</Date></PriceDate>`;
    const [old, next] = [
      price("8", "GBP", "02", until("20261129")),
      price("10", "GBP", "02", from("20270101")),
    ];
    expect((await priced(old, next, price("9", "GBP", "02", until("20261231"))))[0]).toBe("9");
    expect((await priced(old, next)).slice(0, 3)).toEqual([
      "10",
      "GBP",
      "Retail price including tax, from 2027-01-01",
    ]);
    const schools = price("5", "GBP", "02", "<PriceQualifier>06</PriceQualifier>");
    const bulk = price("6", "GBP", "02", "<MinimumOrderQuantity>30</MinimumOrderQuantity>");
    expect((await priced(schools, bulk, price("9", "GBP", "01")))[0]).toBe("9");
  });

  it("is never what a supplier charges the shop, which is shown beside it", async () => {
    expect(await priced(price("6.50", "USD", "05"), price("12", "USD", "01"))).toEqual([
      "12",
      "USD",
      "Retail price excluding tax",
      undefined,
    ]);
    expect(await priced(price("6.50", "USD", "05"))).toEqual([
      undefined,
      undefined,
      "Trade price: not what a shop charges",
      "USD 6.50",
    ]);
    const { rows } = await read(
      message(
        product({ supply: price("6.50", "USD", "05") + price("12", "USD", "01") }),
        product({ supply: price("6.50", "USD", "05") }),
      ),
    );
    expect(rows.map(({ hint }) => hint)).toEqual([
      undefined,
      expect.stringContaining("It is not taken for the price."),
    ]);
    expect(await priced("<UnpricedItemType>02</UnpricedItemType>")).toEqual([
      undefined,
      undefined,
      "Price to be announced",
      undefined,
    ]);
  });

  it("that names no currency is not taken for cedis unasked", async () => {
    const bare = "<Price><PriceType>02</PriceType><PriceAmount>12.99</PriceAmount></Price>";
    const { headings, rows } = await read(message(product({ supply: bare })));
    const { columns } = mapBookImportColumns(headings);
    expect(columns.price).toBeDefined();
    expect(planOf(rows, headings, columns).currencies.base).toBeNull();
  });
});

describe("a product that is no title to sell", () => {
  const form = (code: string) =>
    `<Product><ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>9780306406157</IDValue></ProductIdentifier><DescriptiveDetail><ProductForm>${code}</ProductForm>`;
  const end = (supply = "") =>
    `</DescriptiveDetail><ProductSupply><SupplyDetail>${supply}</SupplyDetail></ProductSupply></Product>`;
  const price =
    "<Price><PriceType>02</PriceType><PriceAmount>5</PriceAmount><CurrencyCode>GHS</CurrencyCode></Price>";

  it("is left out with the reason, and others keep their kind", async () => {
    const { rows, headings } = await read(
      message(
        form("XB") + end(price),
        `${form("BC")}<ProductComposition>30</ProductComposition>${end(price)}`,
        form("ED") + end(),
        form("BC") + end("<UnpricedItemType>03</UnpricedItemType>"),
        form("ED") + end(price),
        form("PR") + end(price),
        form("AC") + end(price),
      ),
    );
    expect(rows.map(({ problem }) => problem)).toEqual([
      NOT_FOR_SALE.tradeOnly,
      NOT_FOR_SALE.tradeOnly,
      NOT_FOR_SALE.digital,
      NOT_FOR_SALE.notAlone,
      undefined,
      undefined,
      undefined,
    ]);
    const kind = headings.indexOf("Kind");
    expect(rows.slice(4).map(({ cells }) => cells[kind])).toEqual(["Digital", "Stationery", "Audio"]);
    const { columns } = mapBookImportColumns(headings);
    expect(planOf(rows, headings, columns)).toMatchObject({ sureCount: 4, unsureCount: 0 });
  });
});

describe("a product that its publisher does not sell in Ghana", () => {
  const included = (countries: string) => `<CountriesIncluded>${countries}</CountriesIncluded>`;
  const world = "<RegionsIncluded>WORLD</RegionsIncluded>";
  const but = (countries: string) => `${world}<CountriesExcluded>${countries}</CountriesExcluded>`;
  const rights = (type: string, territory: string) =>
    `<SalesRights><SalesRightsType>${type}</SalesRightsType><Territory>${territory}</Territory></SalesRights>`;
  const rest = (type: string) => `<ROWSalesRightsType>${type}</ROWSalesRightsType>`;
  const problemOf = async (one: string) => (await read(message(one))).rows[0]?.problem;

  it.each([
    [
      "rights to sell in other countries alone",
      rights("01", included("GB IE")) + rights("02", included("US")),
    ],
    ["the world without Ghana", rights("01", but("US CA GH"))],
    ["not for sale in Ghana", rights("01", world) + rights("03", included("NG GH"))],
    ["not for sale in the rest of the world", rights("01", included("GB")) + rest("06")],
    ["not for sale anywhere else", rights("02", included("GB")) + rights("04", but("GB"))],
  ])("is left out with the reason: %s", async (_, publishing) => {
    expect(await problemOf(product({ publishing }))).toBe(NOT_FOR_SALE.notHere);
  });

  it.each([
    ["no rights at all", ""],
    ["rights for the world", rights("01", but("US CA")) + rights("03", included("US CA"))],
    ["for sale in Ghana, and not elsewhere", rights("07", included("GH")) + rights("03", but("GH"))],
    ["not for sale in other countries", rights("03", included("US"))],
    ["the rest of the world", rights("01", included("GB")) + rest("02")],
    ["the rest is not known", rights("01", but("GH")) + rest("00")],
    ["two statements that contradict each other", rights("01", world) + rights("06", world)],
  ])("is read where the message does not clearly say so: %s", async (_, publishing) => {
    expect(await problemOf(product({ publishing }))).toBeUndefined();
  });

  it("is known in release 2.1, in both sets of tags", async () => {
    const old = (inner: string) =>
      `<Product><RecordReference>r</RecordReference><DistinctiveTitle>Atlas</DistinctiveTitle>${inner}</Product>`;
    const short = (type: string, where: string) => `<salesrights><b089>${type}</b089>${where}</salesrights>`;
    const out = NOT_FOR_SALE.notHere;
    for (const [inner, problem] of [
      [short("01", "<b090>GB IE</b090><b090>US</b090>"), out],
      [short("01", "<b388>WORLD</b388>") + short("03", "<b090>GH</b090>"), out],
      ["<NotForSale><RightsCountry>GH NG</RightsCountry></NotForSale>", out],
      ["<NotForSale><RightsTerritory>ROW</RightsTerritory></NotForSale>", out],
      [
        "<SalesRights><SalesRightsType>02</SalesRightsType><RightsTerritory>ROW</RightsTerritory></SalesRights>",
        undefined,
      ],
      [short("01", "<b090>GB</b090>") + short("02", "<b091>003</b091>"), undefined],
      [short("01", "<b091>000</b091>"), undefined],
    ] as const)
      expect(await problemOf(old(inner)), inner).toBe(problem);
  });

  it("is still deleted where the message deletes it", async () => {
    const deleted = product({ publishing: rights("01", included("GB")) }).replace(">03<", ">05<");
    expect(await problemOf(deleted)).toBeUndefined();
  });
});

describe("a message that is damaged or hostile", () => {
  const book = product({
    descriptive: titleText("Atlas"),
    supply: "<ProductAvailability>20</ProductAvailability>",
  });
  const whole = message(book, book);

  it("is refused with the line, and nothing of it is read", async () => {
    await expect(read(whole.slice(0, whole.lastIndexOf("<SupplyDetail>")))).rejects.toThrow(
      "The file ends in the middle, on line 14 (in what begins on line 9), so nothing of it was read. Get it again, whole.",
    );
    await expect(read(whole.replace("</ProductSupply>", "</ProductSupplies>"))).rejects.toThrow(
      "Line 7 of the file is not correct XML (unexpected close tag), so nothing of it was read.",
    );
    const bare = whole.replace("Atlas", "Maths & You");
    await expect(read(bare)).rejects.toThrow("in the middle of a text or a tag that begins on line 5,");
    await expect(read(bare.replace("</ONIXMessage>", "<!-- ; --></ONIXMessage>"))).rejects.toThrow(
      "Line 5 of the file is not correct XML (& in a text in place of &amp;), so nothing of it was read.",
    );
    await expect(read(message())).rejects.toThrow("The ONIX message has no products.");
    await expect(readOnixTable(inPieces(Buffer.from(whole), 100), 1)).rejects.toThrow("more than 1 products");
  });

  it("cannot define entities, refer to files, or grow without end", async () => {
    const bomb = `<!DOCTYPE ONIXMessage [<!ENTITY a "${"ha".repeat(50)}"><!ENTITY b "&a;&a;&a;">]>`;
    const withType = (type: string) => whole.replace("<ONIXMessage", `${type}\n<ONIXMessage`);
    await expect(read(withType(bomb))).rejects.toThrow("The file defines entities of its own");
    await expect(
      read(withType('<!DOCTYPE ONIXMessage [<!ENTITY x SYSTEM "file:///etc/passwd">]>')),
    ).rejects.toThrow("The file defines entities of its own");
    await expect(read(whole.replace("Atlas", "&x;"))).rejects.toThrow("undefined entity");
    await expect(read(whole.replace("Atlas", "&constructor;"))).rejects.toThrow("undefined entity");
    const deep = "<b>".repeat(1_000);
    await expect(read(whole.replace("Atlas", deep))).rejects.toThrow("is larger than any record can be");
    await expect(read(whole.replace("Atlas", "x".repeat(2_100_000)))).rejects.toThrow(
      "What begins on line 2 of the file is larger than any record can be",
    );
  });
});
