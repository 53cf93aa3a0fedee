import { inflateSync } from "node:zlib";

/* The texts of a PDF as Chromium and PDFKit write it: every object on its own, texts as numbers of glyphs with a table of their characters. */

type Objects = Map<number, { head: string; stream: Buffer | null }>;

/** The text of each page, in the order in which it is drawn; words that stand apart may be joined. */
export function pdfPages(pdf: Buffer): string[] {
  return readPages(pdf).map(({ content, charactersOf }) => readText(content, charactersOf));
}

/** A page as it is stored: its object, what draws it, and the characters of a font's glyphs by the font's name. */
export type StoredPage = {
  head: string;
  content: string;
  charactersOf: (font: string) => Map<string, string>;
};

/** In the order of the file. */
export function readPages(pdf: Buffer): StoredPage[] {
  const objects = readObjects(pdf);
  const fonts = new Map<number, Map<string, string>>();
  return [...objects.values()]
    .filter(({ head }) => /\/Type\s*\/Page\b/.test(head))
    .map(({ head }) => {
      const contents = refsOf(head, "Contents").map(
        (id) => objects.get(id)?.stream?.toString("latin1") ?? "",
      );
      const resources =
        head +
        refsOf(head, "Resources")
          .map((id) => objects.get(id)?.head ?? "")
          .join("");
      const named = new Map(
        [...resources.matchAll(/\/(F\d+)\s+(\d+) 0 R/g)].map(([, name = "", id]) => [name, Number(id)]),
      );
      const charactersOf = (name: string) => {
        const id = named.get(name) ?? 0;
        const existing = fonts.get(id) ?? readCharacters(objects, id);
        fonts.set(id, existing);
        return existing;
      };
      return { head, content: contents.join("\n"), charactersOf };
    });
}

function readObjects(pdf: Buffer): Objects {
  const text = pdf.toString("latin1");
  const objects: Objects = new Map();
  for (const match of text.matchAll(/(?<=^|\n)(\d+) 0 obj\s/g)) {
    const start = match.index + match[0].length;
    const streamAt = text.indexOf("stream\n", start);
    const endAt = text.indexOf("endobj", start);
    const isStream = streamAt !== -1 && streamAt < endAt;
    const head = text.slice(start, isStream ? streamAt : endAt);
    const length = Number(/\/Length (\d+)/.exec(head)?.[1] ?? 0);
    const bytes = isStream ? pdf.subarray(streamAt + 7, streamAt + 7 + length) : null;
    objects.set(Number(match[1]), {
      head,
      stream: bytes && (head.includes("/FlateDecode") ? inflateSync(bytes) : bytes),
    });
  }
  return objects;
}

const refsOf = (head: string, key: string) => {
  const value = new RegExp(`/${key}\\s*(\\[[^\\]]*\\]|\\d+ 0 R)`).exec(head)?.[1] ?? "";
  return [...value.matchAll(/(\d+) 0 R/g)].map(([, id]) => Number(id));
};

/** What each glyph of a font stands for, from its ToUnicode table. */
function readCharacters(objects: Objects, font: number): Map<string, string> {
  const [table = 0] = refsOf(objects.get(font)?.head ?? "", "ToUnicode");
  const text = objects.get(table)?.stream?.toString("latin1") ?? "";
  const characters = new Map<string, string>();
  const decode = (hex: string) => Buffer.from(hex, "hex").swap16().toString("utf16le");
  for (const [, block = ""] of text.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, glyph = "", value = ""] of block.matchAll(/<(\w+)>\s*<(\w+)>/g))
      characters.set(glyph.toLowerCase(), decode(value));
  for (const [, block = ""] of text.matchAll(/beginbfrange([\s\S]*?)endbfrange/g)) {
    // A list of values, as PDFKit writes it, or the first of values that follow each other.
    const listed = /<(\w+)>\s*<\w+>\s*\[([^\]]*)\]/g;
    for (const [, first = "", values = ""] of block.matchAll(listed))
      for (const [at, [, value = ""]] of [...values.matchAll(/<(\w+)>/g)].entries())
        characters.set(
          (Number.parseInt(first, 16) + at).toString(16).padStart(first.length, "0"),
          decode(value),
        );
    for (const [, first = "", last = "", value = ""] of block
      .replaceAll(listed, "")
      .matchAll(/<(\w+)>\s*<(\w+)>\s*<(\w+)>/g))
      for (let n = Number.parseInt(first, 16); n <= Number.parseInt(last, 16); n += 1) {
        const code = Number.parseInt(value, 16) + n - Number.parseInt(first, 16);
        characters.set(n.toString(16).padStart(first.length, "0"), String.fromCodePoint(code));
      }
  }
  return characters;
}

/** Fonts join f, i and l, and the table then names the joined letter. */
const inLetters = (text: string) =>
  text.replaceAll(/[\ufb00-\ufb06]/g, (letters) => letters.normalize("NFKC"));

/** The characters of glyphs in hexadecimal. */
export function decodeGlyphs(glyphs: string, characters: Map<string, string>): string {
  const size = [...characters.keys()][0]?.length ?? 4;
  let text = "";
  for (let at = 0; at < glyphs.length; at += size)
    text += characters.get(glyphs.slice(at, at + size).toLowerCase()) ?? "\ufffd";
  return inLetters(text);
}

function readText(content: string, charactersOf: (font: string) => Map<string, string>): string {
  let characters = new Map<string, string>();
  let text = "";
  for (const [, font, glyphs] of content.matchAll(/\/(F\d+) [\d.]+ Tf|<([\da-fA-F]+)>/g)) {
    if (font) characters = charactersOf(font);
    else if (glyphs) text += decodeGlyphs(glyphs, characters);
  }
  return text;
}
