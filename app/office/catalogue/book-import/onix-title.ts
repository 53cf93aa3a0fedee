import type { XmlElement } from "#app/lib/tables/read-xml-records.ts";
import { elementOf, elementsOf, textOf } from "./onix-elements.ts";

/** A product's title and its series, as a person would write them. */
export type OnixTitle = { title: string; series: string };

/** The kinds of title of list 15 that are a product's own, the best first. */
const OWN_TITLES = ["01", "00", "", "10"];

function ownTitle(details: readonly XmlElement[]): XmlElement | undefined {
  for (const type of OWN_TITLES) {
    const detail = details.find((one) => textOf(one, "titletype") === type);
    if (detail) return detail;
  }
  return details[0];
}

/** 'The Magic Key'; a prefix that ends with an apostrophe, such as L', stands without a space. */
function textOfTitle(element: XmlElement): string {
  const bare = textOf(element, "titlewithoutprefix");
  if (bare === "") return textOf(element, "titletext", "distinctivetitle");
  const prefix = textOf(element, "titleprefix");
  return /['’]$/.test(prefix) ? prefix + bare : `${prefix} ${bare}`.trim();
}

/** 'Golden English' and 'Book 3' → 'Golden English, Book 3'; 'Effective Maths' and '2' → 'Effective Maths 2'. */
function withPart(title: string, element: XmlElement): string {
  const part = textOf(element, "partnumber") || textOf(element, "yearofannual");
  if (part === "" || title === "") return title || part;
  if (new RegExp(`(?:^|[\\s,])${escaped(part)}$`, "i").test(title)) return title;
  return /^[\dIVX]+$/.test(part) ? `${title} ${part}` : `${title}, ${part}`;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** 'Golden English' and 'Book 3' → 'Golden English: Book 3'; once if the title has it already. */
export function withSubtitle(title: string, subtitle: string): string {
  if (subtitle === "" || title.toLowerCase().includes(subtitle.toLowerCase())) return title;
  return title === "" ? subtitle : `${title}: ${subtitle}`;
}

/** Levels of list 149: a collection and its parts before the product itself. */
const LEVELS = ["02", "03", "01", "04", ""];

function levelsOf(detail: XmlElement | undefined): { level: string; element: XmlElement }[] {
  return elementsOf(detail, "titleelement")
    .map((element) => ({ level: textOf(element, "titleelementlevel"), element }))
    .sort((one, other) => LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level));
}

function titleOf(descriptive: XmlElement): OnixTitle {
  const elements = levelsOf(ownTitle(elementsOf(descriptive, "titledetail")));
  const isOwn = (level: string) => level !== "02" && level !== "03";
  const series: string[] = [];
  const whole: string[] = [];
  const own: string[] = [];
  let subtitle = "";
  for (const { level, element } of elements) {
    const text = textOfTitle(element);
    if (isOwn(level)) subtitle ||= textOf(element, "subtitle");
    else if (text !== "") series.push(text);
    (isOwn(level) ? own : whole).push(withPart(text, element));
  }
  const above = whole.filter(Boolean).join(", ");
  const name = own.filter(Boolean).join(", ");
  // 'Book 3' alone is no title, and neither is a collection's behind one that has it already.
  const isPartOnly = elements.every(({ level, element }) => !isOwn(level) || textOfTitle(element) === "");
  const title =
    above === "" || name.toLowerCase().startsWith(above.toLowerCase())
      ? name
      : name === ""
        ? above
        : isPartOnly
          ? `${above}${/^[\dIVX]+$/.test(name) ? " " : ", "}${name}`
          : `${above}: ${name}`;
  return { title: withSubtitle(title, subtitle), series: series.join(", ") };
}

/** Publishers' collections before those that others have made of them (list 148). */
function collectionOf(descriptive: XmlElement): string {
  const collections = elementsOf(descriptive, "collection");
  const best = collections.find((one) => textOf(one, "collectiontype") !== "20") ?? collections[0];
  return levelsOf(ownTitle(elementsOf(best, "titledetail")))
    .map(({ element }) => textOfTitle(element))
    .filter(Boolean)
    .join(", ");
}

/** In 2.1 the title is an element of the product, and so is its series. */
function oldTitleOf(product: XmlElement): OnixTitle {
  const detail = ownTitle(elementsOf(product, "title"));
  const title = (detail && textOfTitle(detail)) || textOfTitle(product);
  const [series] = elementsOf(product, "series");
  const seriesTitle = ownTitle(elementsOf(series, "title"));
  return {
    title: withSubtitle(title, textOf(detail, "subtitle") || textOf(product, "subtitle")),
    series: textOf(series, "titleofseries") || (seriesTitle ? textOfTitle(seriesTitle) : ""),
  };
}

export function readOnixTitle(product: XmlElement): OnixTitle {
  const descriptive = elementOf(product, "descriptivedetail");
  if (!descriptive) return oldTitleOf(product);
  const { title, series } = titleOf(descriptive);
  return { title, series: collectionOf(descriptive) || series };
}
