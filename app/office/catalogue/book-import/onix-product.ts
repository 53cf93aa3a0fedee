import { isIsbn13 } from "#app/features/books/isbn.ts";
import type { XmlElement } from "#app/lib/tables/read-xml-records.ts";
import { NOT_FOR_SALE } from "./book-table.ts";
import { EDITIONS, isTradeOnly, OLD_AVAILABILITY, onixKind, subjectOfCode } from "./onix-codes.ts";
import { elementOf, elementsOf, paragraphsOf, textOf, textsOf } from "./onix-elements.ts";
import { choosePrice, type PriceDefaults } from "./onix-price.ts";
import { isSoldInGhana } from "./onix-territory.ts";
import { readOnixTitle } from "./onix-title.ts";

/** The columns of a message's table. Those that no field of a book has are there to be seen, and to be told what they are. */
export const ONIX_COLUMNS = [
  "ISBN",
  "Title",
  "Authors",
  "Publisher",
  "Imprint",
  "Price",
  "Currency",
  "Price type",
  "Net trade price",
  "Edition",
  "Series",
  "Subject",
  "Grade level",
  "Age range",
  "Kind",
  "Delivered as",
  "Publishing status",
  "Availability",
  "Publication date",
  "Newer edition",
  "Replaces",
  "Cover image",
  "Description",
  "Record reference",
] as const;

export type OnixColumn = (typeof ONIX_COLUMNS)[number];

export type OnixRow = {
  cells: Record<OnixColumn, string>;
  /** Why it is nothing that a shop sells. */
  reason?: string;
};

/** @param today as '20261130' */
export function readOnixProduct(product: XmlElement, defaults: PriceDefaults, today: string): OnixRow {
  // 2.1 has all of them in the product itself.
  const block = (name: string) => elementOf(product, name) ?? product;
  const descriptive = block("descriptivedetail");
  const publishing = block("publishingdetail");
  const { title, series } = readOnixTitle(product);
  const price = choosePrice(product, defaults, today);
  const form = textOf(descriptive, "productform");
  const { kind, deliveredAs = "" } = form === "" || form === "00" ? { kind: "" } : onixKind(form);
  const isDeleted = textOf(product, "notificationtype") === "05";
  const status = marketStatusOf(product) || textOf(publishing, "publishingstatus");
  const publisher = publisherOf(publishing);
  const imprint = textOf(elementOf(publishing, "imprint"), "imprintname");
  const cells: Record<OnixColumn, string> = {
    ISBN: isbnOf(product, kind === "Stationery"),
    Title: title,
    Authors: authorsOf(descriptive),
    Publisher: publisher || imprint,
    Imprint: imprint === publisher || publisher === "" ? "" : imprint,
    Price: price.amount,
    Currency: price.amount === "" ? "" : price.currency,
    "Price type": price.words,
    "Net trade price": price.tradePrice,
    Edition: editionOf(descriptive),
    Series: series,
    Subject: subjectOf(descriptive),
    "Grade level": gradesOf(descriptive),
    "Age range": agesOf(descriptive),
    Kind: kind,
    "Delivered as": deliveredAs,
    "Publishing status": isDeleted ? "No longer supplied" : status,
    Availability: availabilityOf(price.supply),
    "Publication date": publicationDate(publishing),
    "Newer edition": relatedIsbns(product, "05"),
    Replaces: relatedIsbns(product, "03"),
    "Cover image": coverOf(product),
    Description: descriptionOf(product),
    "Record reference": textOf(product, "recordreference"),
  };
  const reasons: [keyof typeof NOT_FOR_SALE, applies: boolean][] = [
    ["tradeOnly", isTradeOnly(form, textOf(descriptive, "productcomposition"))],
    ["notAlone", price.notSoldSeparately || status === "13"],
    // A delete has no rights and no price, and is neither of these.
    ["notHere", !isDeleted && !isSoldInGhana(publishing)],
    ["digital", !isDeleted && kind === "Digital" && price.amount === "" && price.tradePrice === ""],
  ];
  const [reason] = reasons.find(([, applies]) => applies) ?? [];
  return { cells, ...(reason && { reason: NOT_FOR_SALE[reason] }) };
}

const isBookland = (code: string) => code.startsWith("978") || code.startsWith("979");

/** The ISBN-13, then a barcode that is one, then the ISBN-10; for stationery any barcode, by which it is found again. */
function isbnOf(parent: XmlElement, takesBarcode: boolean): string {
  const numbers = elementsOf(parent, "productidentifier").map((one) => ({
    type: textOf(one, "productidtype"),
    value: textOf(one, "idvalue"),
  }));
  const ofType = (type: string) => numbers.filter((one) => one.type === type).map(({ value }) => value);
  const barcodes = [...ofType("03"), ...textsOf(parent, "ean13")];
  return (
    ofType("15")[0] ??
    barcodes.find(isBookland) ??
    ofType("02")[0] ??
    (textOf(parent, "isbn") || (takesBarcode ? barcodes[0] : "")) ??
    ""
  );
}

const relatedIsbns = (product: XmlElement, code: string): string => {
  const related = [
    ...elementsOf(elementOf(product, "relatedmaterial"), "relatedproduct"),
    ...elementsOf(product, "relatedproduct"),
  ];
  const isbns = related
    .filter(
      (one) => textsOf(one, "productrelationcode").includes(code) || textOf(one, "relationcode") === code,
    )
    .map((one) => isbnOf(one, false))
    .filter(Boolean);
  // The printed one where several are named is not known; the first is what the publisher named first.
  return isbns.find((isbn) => isIsbn13(isbn.replaceAll("-", ""))) ?? isbns[0] ?? "";
};

/** Those who wrote only what stands before or behind the text. */
const BESIDE_THE_TEXT = /^A(?:1[5-9]|2[0-4]|29)$/;

function authorsOf(descriptive: XmlElement): string {
  const contributors = elementsOf(descriptive, "contributor")
    .map((element, at) => ({
      at,
      sequence: Number(textOf(element, "sequencenumber") || Number.POSITIVE_INFINITY),
      roles: textsOf(element, "contributorrole"),
      name: nameOf(element),
    }))
    .filter(({ name }) => name !== "")
    .sort((one, other) =>
      one.sequence === other.sequence ? one.at - other.at : one.sequence - other.sequence,
    );
  const withRole = (role: RegExp) => contributors.filter(({ roles }) => roles.some((one) => role.test(one)));
  const authors = withRole(/^A/);
  const ofText = authors.filter(({ roles }) => !roles.every((role) => BESIDE_THE_TEXT.test(role)));
  // A collection of texts has only those who put it together.
  const named = [ofText, authors, withRole(/^B/)].find((list) => list.length > 0) ?? [];
  const names = [...new Set(named.map(({ name }) => name))];
  const others = names.indexOf(AND_OTHERS);
  if (others === -1) return names.join(", ");
  names.splice(others, 1);
  return names.length === 0 ? "Various authors" : `${names.join(", ")} ${AND_OTHERS}`;
}

const AND_OTHERS = "and others";

/** List 19. */
const UNNAMED: Readonly<Record<string, string>> = {
  "02": "Anonymous",
  "03": AND_OTHERS,
  "04": "Various authors",
};

function nameOf(contributor: XmlElement): string {
  const parts = ["namesbeforekey", "prefixtokey", "keynames", "namesafterkey", "suffixtokey"];
  return (
    textOf(contributor, "personname") ||
    straight(textOf(contributor, "personnameinverted")) ||
    parts
      .map((part) => textOf(contributor, part))
      .filter(Boolean)
      .join(" ") ||
    textOf(contributor, "corporatename") ||
    straight(textOf(contributor, "corporatenameinverted")) ||
    (UNNAMED[textOf(contributor, "unnamedpersons")] ?? "")
  );
}

/** 'Mensah, Ama' → 'Ama Mensah' */
const straight = (inverted: string): string => {
  const [key = "", ...before] = inverted.split(/\s*,\s*/);
  return [...before, key].join(" ").trim();
};

function publisherOf(publishing: XmlElement): string {
  const publishers = elementsOf(publishing, "publisher");
  const main = publishers.find((one) => /^(?:01)?$/.test(textOf(one, "publishingrole"))) ?? publishers[0];
  return textOf(main, "publishername");
}

function editionOf(descriptive: XmlElement): string {
  const statement = textOf(descriptive, "editionstatement");
  if (statement !== "") return statement;
  const number = textOf(descriptive, "editionnumber");
  if (/^\d{1,3}$/.test(number)) return `${ordinal(Number(number))} Edition`;
  return EDITIONS[textOf(descriptive, "editiontype", "editiontypecode")] ?? "";
}

const ENDS: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd" };
const ordinals = new Intl.PluralRules("en", { type: "ordinal" });
const ordinal = (number: number) => `${number}${ENDS[ordinals.select(number)] ?? "th"}`;

/** Search terms aren't subjects. */
const KEYWORDS = "20";

/** The name of the main subject, then of another, then what a known code says. */
function subjectOf(descriptive: XmlElement): string {
  const subjects = [...elementsOf(descriptive, "mainsubject"), ...elementsOf(descriptive, "subject")].map(
    (element) => ({
      isMain: element.name === "mainsubject" || elementOf(element, "mainsubject") !== undefined,
      scheme: textOf(element, "subjectschemeidentifier", "mainsubjectschemeidentifier"),
      code: textOf(element, "subjectcode"),
      text: textOf(element, "subjectheadingtext"),
    }),
  );
  const bisac = textOf(descriptive, "basicmainsubject");
  if (bisac !== "") subjects.push({ isMain: true, scheme: "10", code: bisac, text: "" });
  const inOrder = subjects
    .filter(({ scheme }) => scheme !== KEYWORDS)
    .sort((one, other) => Number(other.isMain) - Number(one.isMain));
  const named = inOrder.find(({ text }) => text !== "");
  if (named) return named.text;
  for (const { scheme, code } of inOrder) {
    const name = subjectOfCode(scheme, code);
    if (name !== "") return name;
  }
  return "";
}

type Range = { from: string; to: string };

/** The first range of one of these kinds (list 30). */
function rangeOf(descriptive: XmlElement, qualifiers: readonly string[]): Range | null {
  const ranges = elementsOf(descriptive, "audiencerange");
  for (const qualifier of qualifiers) {
    const range = ranges.find((one) => textOf(one, "audiencerangequalifier") === qualifier);
    if (!range) continue;
    const values = textsOf(range, "audiencerangevalue");
    const found: Range = { from: "", to: "" };
    for (const [at, precision] of textsOf(range, "audiencerangeprecision").entries()) {
      const value = values[at] ?? "";
      if (precision === "01") return { from: value, to: value };
      if (precision === "03") found.from = value;
      if (precision === "04") found.to = value;
    }
    if (found.from !== "" || found.to !== "") return found;
  }
  return null;
}

function rangeWords({ from, to }: Range): string {
  if (from === to) return from;
  if (to === "") return `${from}+`;
  return from === "" ? `up to ${to}` : `${from}-${to}`;
}

/** Years of interest, then of reading. */
function agesOf(descriptive: XmlElement): string {
  const range = rangeOf(descriptive, ["17", "18"]);
  return range ? rangeWords(range) : "";
}

/** Classes of the United States and of the United Kingdom, by the words of list 77: 'Grade 3-5', 'Reception to Year 2'. */
function gradesOf(descriptive: XmlElement): string {
  for (const [qualifier, word] of [
    ["11", "Grade"],
    ["12", "Year"],
  ] as const) {
    const range = rangeOf(descriptive, [qualifier]);
    if (!range) continue;
    const [from, to] = [range.from, range.to].map((value) => value.replace(/^0(?=\d)/, ""));
    const isNumber = (value = "") => /^\d*$/.test(value);
    if (isNumber(from) && isNumber(to)) return `${word} ${rangeWords({ from: from ?? "", to: to ?? "" })}`;
    const names = [from, to].filter(Boolean).map((value = "") => GRADES[value] ?? `${word} ${value}`);
    return [...new Set(names)].join(" to ");
  }
  return "";
}

const GRADES: Readonly<Record<string, string>> = { P: "Preschool", K: "Kindergarten", R: "Reception" };

function marketStatusOf(product: XmlElement): string {
  for (const supply of elementsOf(product, "productsupply")) {
    const countries = textsOf(elementOf(elementOf(supply, "market"), "territory"), "countriesincluded");
    const status = textOf(elementOf(supply, "marketpublishingdetail"), "marketpublishingstatus");
    if (status !== "" && countries.some((text) => text.split(" ").includes("GH"))) return status;
  }
  return "";
}

function availabilityOf(supply: XmlElement | undefined): string {
  const old = textOf(supply, "availabilitycode");
  return textOf(supply, "productavailability") || (OLD_AVAILABILITY[old] ?? "");
}

/** List 163: of publication, then of publication in the market; '2026-03-01', or a month or a year alone. */
function publicationDate(publishing: XmlElement): string {
  const dates = elementsOf(publishing, "publishingdate");
  const date = ["01", "11"].map((role) => dates.find((one) => textOf(one, "publishingdaterole") === role));
  const text = textOf(date.find(Boolean), "date") || textOf(publishing, "publicationdate");
  return text
    .replaceAll("-", "")
    .replace(/^(\d{4})(\d{2})?(\d{2})?.*$/, (_, ...parts) => parts.slice(0, 3).filter(Boolean).join("-"));
}

/** The largest picture of the front, one over https before others. */
function coverOf(product: XmlElement): string {
  const versions = elementsOf(elementOf(product, "collateraldetail"), "supportingresource")
    .filter((resource) => textOf(resource, "resourcecontenttype") === "01")
    .flatMap((resource) => elementsOf(resource, "resourceversion"))
    .flatMap((version) => {
      const pixels = elementsOf(version, "resourceversionfeature")
        .filter((feature) => /^0[23]$/.test(textOf(feature, "resourceversionfeaturetype")))
        .map((feature) => Number(textOf(feature, "featurevalue")) || 0);
      return textsOf(version, "resourcelink").map((link) => ({ link, size: Math.max(0, ...pixels) }));
    });
  const files = elementsOf(product, "mediafile")
    .filter((file) => textOf(file, "mediafiletypecode") === "04")
    .map((file) => ({ link: textOf(file, "mediafilelink"), size: 0 }));
  const isSecure = (link: string) => Number(/^https:/i.test(link));
  const [best] = [...versions, ...files]
    .filter(({ link }) => /^https?:\/\/\S+$/i.test(link))
    .sort((one, other) => isSecure(other.link) - isSecure(one.link) || other.size - one.size);
  return best?.link ?? "";
}

/** Texts for everyone, in the order in which they describe a book (list 153); in 2.1 the list is another. */
function descriptionOf(product: XmlElement): string {
  const texts = elementsOf(elementOf(product, "collateraldetail"), "textcontent");
  for (const type of ["03", "02"]) {
    const text = paragraphsOf(
      elementOf(
        texts.find((one) => textOf(one, "texttype") === type),
        "text",
      ),
    );
    if (text !== "") return text;
  }
  const others = elementsOf(product, "othertext");
  for (const type of ["01", "03", "02"]) {
    const text = paragraphsOf(
      elementOf(
        others.find((one) => textOf(one, "texttypecode") === type),
        "text",
      ),
    );
    if (text !== "") return text;
  }
  return "";
}
