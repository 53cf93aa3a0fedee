/** A piece of a line: words, or a blank that the shop's owner has yet to fill in. */
export type Words = string | { blank: string };

/** Names and values, such as the shop's legal name. */
export type Fact = { name: string; value: Words[] };

/** What a page of the law is made of, from top to bottom. */
export type Block =
  | { kind: "heading"; text: string }
  | { kind: "paragraph"; words: Words[] }
  | { kind: "list"; items: Words[][] }
  | { kind: "facts"; facts: Fact[] };

/** What a name in curly brackets stands for: words within a line, or blocks where it has a line of its own. */
export type Values = Readonly<Record<string, string | readonly Block[]>>;

const BLANKS = /\[([^\][\s][^\][]*)\]/g;

/** Blanks and values of a line. A value may have blanks of its own. */
export function wordsOf(line: string, values: Values = {}): Words[] {
  const filled = line.replace(/\{(\w+)\}/g, (name, key: string) => {
    const value = Object.hasOwn(values, key) ? values[key] : undefined;
    return typeof value === "string" ? value : name;
  });
  const words: Words[] = [];
  let end = 0;
  for (const { 0: bracketed, 1: blank = "", index } of filled.matchAll(BLANKS)) {
    if (index > end) words.push(filled.slice(end, index));
    words.push({ blank });
    end = index + bracketed.length;
  }
  if (end < filled.length) words.push(filled.slice(end));
  return words;
}

/** The blocks of a text in the owner's format (shared/owner/legal-texts.ts). A name without a value stays as it is typed. */
export function readLawText(text: string, values: Values): Block[] {
  return text.split(/\n\s*\n|\n(?=## )|(?<=^## .*)\n/m).flatMap((part) => readPart(part.trim(), values));
}

function readPart(part: string, values: Values): readonly Block[] {
  if (part === "") return [];
  if (part.startsWith("## ")) return [{ kind: "heading", text: part.slice(3) }];
  const key = /^\{(\w+)\}$/.exec(part)?.[1];
  const value = key !== undefined && Object.hasOwn(values, key) ? values[key] : undefined;
  if (typeof value === "object") return value;
  if (value === "") return [];
  const blocks: Block[] = [];
  for (const line of part.split("\n")) {
    const last = blocks.at(-1);
    const isItem = line.startsWith("- ");
    const words = wordsOf(isItem ? line.slice(2) : line, values);
    if (words.length === 0) continue;
    if (isItem && last?.kind === "list") last.items.push(words);
    else if (isItem) blocks.push({ kind: "list", items: [words] });
    else if (last?.kind === "paragraph") last.words.push(" ", ...words);
    else blocks.push({ kind: "paragraph", words });
  }
  return blocks;
}

/** What is still blank in a text. */
export const blanksOf = (text: string): string[] =>
  [...text.matchAll(BLANKS)].map(([, blank]) => blank ?? "");
