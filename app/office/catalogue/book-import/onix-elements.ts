import type { XmlElement } from "#app/lib/tables/read-xml-records.ts";
import { decodeEntities } from "./book-import-cells.ts";
import { withoutMarkup } from "./damaged-cells.ts";

/** The elements of this name that an element has itself. */
export function elementsOf(parent: XmlElement | undefined, name: string): XmlElement[] {
  return (parent?.parts ?? []).filter(
    (part): part is XmlElement => typeof part !== "string" && part.name === name,
  );
}

export const elementOf = (parent: XmlElement | undefined, name: string): XmlElement | undefined =>
  elementsOf(parent, name)[0];

/** The text of the first element with any of these names, in one line; empty without one. */
export function textOf(parent: XmlElement | undefined, ...names: string[]): string {
  for (const name of names)
    for (const element of elementsOf(parent, name)) {
      const text = lineOf(element);
      if (text !== "") return text;
    }
  return "";
}

/** The texts of all elements of this name. */
export const textsOf = (parent: XmlElement | undefined, name: string): string[] =>
  elementsOf(parent, name).map(lineOf);

const lineOf = (element: XmlElement): string => allText(element).replace(/\s+/g, " ").trim();

const allText = ({ parts }: XmlElement): string =>
  parts.map((part) => (typeof part === "string" ? part : allText(part))).join("");

const BLOCKS = /^(?:p|div|h[1-6]|ul|ol|li|br|hr|tr|blockquote|table)$/;
const OTHER_BLOCKS = /^(?:dl|dt|dd|section|article|header|footer|figure|figcaption|pre|address|caption)$/;

/** XHTML as HTML with the tags that `withoutMarkup` knows. */
function asHtml({ parts }: XmlElement): string {
  return parts
    .map((part) => {
      if (typeof part === "string") return part;
      const inner = asHtml(part);
      if (BLOCKS.test(part.name)) return `<${part.name}>${inner}</${part.name}>`;
      if (OTHER_BLOCKS.test(part.name)) return `<p>${inner}</p>`;
      return part.name === "td" || part.name === "th" ? ` ${inner} ` : inner;
    })
    .join("");
}

const HTML = /<\/?(?:p|br|div|li|ul|ol|b|i|em|strong|span|h[1-6])(?:\s[^<>]*)?\/?>/i;

/** With its tags, several times what a description holds. */
const LONGEST_WRITTEN = 60_000;

/** A text of several paragraphs: XHTML, HTML whose signs were written as entities, or plain. */
export function paragraphsOf(element: XmlElement | undefined): string {
  if (!element) return "";
  const hasElements = element.parts.some((part) => typeof part !== "string");
  const written = (hasElements ? asHtml(element) : allText(element)).slice(0, LONGEST_WRITTEN);
  const text = HTML.test(written) ? written : decodeEntities(written);
  if (!hasElements && !HTML.test(text))
    return text
      .replace(/[ \t]*\r?\n[ \t]*/g, "\n")
      .replace(/[ \t]+/g, " ")
      .replace(/\n{3,}/g, "\n\n")
      .trim();
  const plain = withoutMarkup(
    text.replace(/<!--[\s\S]*?-->|<(script|style)\b[\s\S]*?<\/\1>/gi, "").replace(/\s+/g, " "),
  );
  return decodeEntities(hasElements ? plain : plain.replace(/<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>/gi, ""))
    .replace(/[ \t]*\n[ \t]*/g, "\n")
    .replace(/ {2,}/g, " ")
    .trim();
}
