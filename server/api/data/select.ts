import { tooMuch, unsupported } from "../../lib/refusal.ts";
import { bounds, type OrderTerm, type SelectItem } from "./query.ts";
import { Reader } from "./reader.ts";

/** Aliases become names in SQL, so they are plain words. */
const alias = /^[a-z_][a-z0-9_]{0,62}$/i;

const maxRead = 300;
const maxCharacters = 1_000;

/** Remembers what texts mean: clients send the same few in nearly every request. */
function remembered<Item>(read: (text: string) => readonly Item[]): (text: string) => readonly Item[] {
  const known = new Map<string, readonly Item[]>();
  return (text) => {
    const before = known.get(text);
    if (before) return before;
    const items = read(text);
    if (text.length > maxCharacters) return items;
    if (known.size >= maxRead) known.clear();
    known.set(text, items);
    return items;
  };
}

/** Reads `id, name:column, book:books!hint(id, title)`. */
export const readSelect = remembered(parseSelect);

/** Reads `title, created_at.desc.nullslast`. */
export const readOrder = remembered(parseOrder);

function parseSelect(text: string): SelectItem[] {
  const reader = new Reader(text, "select");
  const count = { items: 0, embeds: 0 };
  reader.spaces();
  if (reader.isDone) return [{ kind: "all" }];
  const items = readItems(reader, 0, count);
  reader.end();
  return items;
}

function readItems(reader: Reader, depth: number, count: { items: number; embeds: number }): SelectItem[] {
  const items: SelectItem[] = [];
  do {
    reader.spaces();
    items.push(readItem(reader, depth, count));
    reader.spaces();
    count.items += 1;
    if (count.items > bounds.selected) throw tooMuch(`At most ${bounds.selected} columns can be selected.`);
  } while (reader.take(","));
  return items;
}

function readItem(reader: Reader, depth: number, count: { items: number; embeds: number }): SelectItem {
  if (reader.take("*")) return { kind: "all" };
  if (reader.take("...")) throw unsupported("Spreading an embedded table");
  let name = reader.name();
  let renamed: string | null = null;
  if (reader.take("::")) throw unsupported("Casting a column");
  if (reader.take(":")) {
    if (!alias.test(name)) throw unsupported("An alias that is not a plain word");
    renamed = name;
    name = reader.name();
  }
  if (reader.take("->")) throw unsupported("Reading inside JSON");
  if (reader.take("::")) throw unsupported("Casting a column");
  if (reader.take(".")) throw unsupported("An aggregate");
  const hint = reader.take("!") ? reader.name() : null;
  if (hint === "inner" || hint === "left") throw unsupported(`!${hint}`);
  if (!reader.take("(")) {
    if (hint !== null) reader.fail();
    return { kind: "column", name, alias: renamed };
  }
  if (depth === 0 && name === "count" && reader.take(")")) throw unsupported("An aggregate");
  count.embeds += 1;
  if (depth >= bounds.depth || count.embeds > bounds.embeds)
    throw tooMuch(`At most ${bounds.embeds} tables can be embedded, ${bounds.depth} deep.`);
  const select = readItems(reader, depth + 1, count);
  reader.need(")");
  return { kind: "embed", name, alias: renamed, hint, select };
}

function parseOrder(text: string): OrderTerm[] {
  const reader = new Reader(text, "order");
  const terms: OrderTerm[] = [];
  do {
    reader.spaces();
    const column = reader.name();
    if (reader.take("(")) throw unsupported("Ordering by an embedded table");
    if (reader.take("->")) throw unsupported("Reading inside JSON");
    const words = new Set<string>();
    while (reader.take(".")) {
      const word = reader.name();
      if (!/^(asc|desc|nullsfirst|nullslast)$/.test(word)) reader.fail();
      words.add(word);
    }
    const nulls = words.has("nullsfirst") ? "first" : words.has("nullslast") ? "last" : null;
    terms.push({ column, descending: words.has("desc"), nulls });
    reader.spaces();
    if (terms.length > bounds.orderTerms)
      throw tooMuch(`At most ${bounds.orderTerms} columns can be ordered by.`);
  } while (reader.take(","));
  reader.end();
  return terms;
}

/** Reads `columns="a","b"`. */
export function readColumns(text: string): string[] {
  const reader = new Reader(text, "columns");
  const names: string[] = [];
  do {
    reader.spaces();
    names.push(reader.name());
    reader.spaces();
    if (names.length > bounds.selected)
      throw tooMuch(`At most ${bounds.selected} columns can be written at once.`);
  } while (reader.take(","));
  reader.end();
  return names;
}
