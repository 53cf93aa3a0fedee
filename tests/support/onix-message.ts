/* ONIX messages as publishers' systems write them, for tests that need products and not their details. */

type OnixBook = {
  isbn: string;
  title: string;
  price: string;
  currency?: string;
  publisher?: string;
  author?: string;
  /** More elements of the product's own. */
  more?: string;
};

export function onixProduct({
  isbn,
  title,
  price,
  currency = "GBP",
  publisher = "Collins",
  author,
  more = "",
}: OnixBook) {
  const contributor = author
    ? `<Contributor><SequenceNumber>1</SequenceNumber><ContributorRole>A01</ContributorRole><PersonName>${author}</PersonName></Contributor>`
    : "";
  return `  <Product>
    <RecordReference>com.example.${isbn}</RecordReference>
    <NotificationType>03</NotificationType>
    <ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>${isbn}</IDValue></ProductIdentifier>
    <DescriptiveDetail>
      <ProductComposition>00</ProductComposition>
      <ProductForm>BC</ProductForm>
      <TitleDetail><TitleType>01</TitleType><TitleElement><TitleElementLevel>01</TitleElementLevel><TitleText>${title}</TitleText></TitleElement></TitleDetail>
      ${contributor}
    </DescriptiveDetail>
    <PublishingDetail>
      <Publisher><PublishingRole>01</PublishingRole><PublisherName>${publisher}</PublisherName></Publisher>
      <PublishingStatus>04</PublishingStatus>
    </PublishingDetail>${more}
    <ProductSupply>
      <SupplyDetail>
        <ProductAvailability>20</ProductAvailability>
        <Price><PriceType>02</PriceType><PriceAmount>${price}</PriceAmount><CurrencyCode>${currency}</CurrencyCode></Price>
      </SupplyDetail>
    </ProductSupply>
  </Product>
`;
}

export function onixMessage(products: readonly string[], header = ""): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<ONIXMessage release="3.0" xmlns="http://ns.editeur.org/onix/3.0/reference">
  <Header><Sender><SenderName>Example Press</SenderName></Sender><SentDateTime>20261101</SentDateTime>${header}</Header>
${products.join("")}</ONIXMessage>
`;
}
