/*
 * Reads XML that programs wrote, part by part, as it arrives: its elements and texts in their order. It knows no entity but the five of XML and
 * numbers, and no document type, so that a file cannot make it build more than it has.
 */

/** XML that no program wrote for us to read. */
export class XmlProblem extends Error {
  override name = "XmlProblem";
}

/** An element begins, a text, or an element ends. Names of elements and attributes are without their prefixes. */
export type XmlPart =
  | { kind: "open"; name: string; attributes: Readonly<Record<string, string>> }
  | { kind: "text"; text: string }
  | { kind: "close"; name: string };

/** The longest text or tag: a cell holds at most 32,767 characters. */
const LONGEST = 1_000_000;

const TAG =
  /<(?:\/(?:[\w.-]+:)?([\w.-]+)\s*>|(?:[\w.-]+:)?([\w.-]+)((?:\s+[^\s=>/]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|!\[CDATA\[([\s\S]*?)\]\]>|!--[\s\S]*?-->|\?[\s\S]*?\?>|![^[-][^>]*>)/y;

/** @throws XmlProblem */
export async function* readXml(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<XmlPart[]> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    const { parts, read } = readParts(rest);
    rest = rest.slice(read);
    if (rest.length > LONGEST) throw new XmlProblem("A tag or a text does not end");
    yield parts;
  }
  if (rest.trim() !== "") throw new XmlProblem("The text ends within a tag");
}

/** The parts that are complete, and how many characters they are. */
function readParts(text: string): { parts: XmlPart[]; read: number } {
  const parts: XmlPart[] = [];
  let at = 0;
  for (;;) {
    const next = text.indexOf("<", at);
    if (next === -1) return { parts, read: at };
    if (next > at) parts.push({ kind: "text", text: decodeXml(text.slice(at, next)) });
    at = next;
    TAG.lastIndex = at;
    const tag = TAG.exec(text);
    if (!tag) return { parts, read: at };
    at = TAG.lastIndex;
    const [, closed, opened, attributes = "", empty, cdata] = tag;
    if (closed !== undefined) parts.push({ kind: "close", name: closed });
    else if (cdata !== undefined) parts.push({ kind: "text", text: cdata });
    else if (opened !== undefined) {
      parts.push({ kind: "open", name: opened, attributes: readAttributes(attributes) });
      if (empty) parts.push({ kind: "close", name: opened });
    }
  }
}

function readAttributes(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  if (text === "") return attributes;
  for (const [, name = "", double, single] of text.matchAll(
    /(?:[^\s=:]+:)?([^\s=:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
  ))
    attributes[name] = decodeXml(double ?? single ?? "");
  return attributes;
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decodeXml(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(amp|lt|gt|quot|apos));/g,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return ENTITIES[name] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
