import { readKind } from "#app/features/books/kind-names.ts";
import { BOOK_KINDS } from "#app/features/books/kinds.ts";
import type { Choice } from "./catalogue.queries.ts";
import { type CatalogueQuery, type Field, MORE_FILTERS, PRICE_RANGES } from "./catalogue-query.ts";

/** A list to choose from; built on the server, so that visitors don't download the code for it. */
export type ChoiceField = {
  name: Field;
  label: string;
  /** The label of the empty choice. */
  all: string;
  options: { value: string; label: string }[];
};

const collator = /* @__PURE__ */ new Intl.Collator("en", { numeric: true });

const names = {
  grade: { label: "Grade level", all: "All Grade Levels" },
  price: { label: "Price", all: "Any Price" },
  stock: { label: "Stock", all: "All Books" },
  kind: { label: "Kind", all: "All Kinds" },
} as const;

const kindChoices = { book: "Books", digital: "Digital", stationery: "Stationery" } as const;

/**
 * The filters in addition to the specified ones; each choice says how many books it shows. No filter for kinds if all
 * are of one kind.
 */
export function moreFilters(choices: Choice[], query: CatalogueQuery): ChoiceField[] {
  const fields = MORE_FILTERS.map((name) => {
    const books = new Map<string, number>();
    for (const { choice, value, books: found } of choices)
      if (choice === name) books.set(name === "price" ? (PRICE_RANGES[Number(value)] ?? "") : value, found);
    // An active filter is always among the choices, or the form would drop it.
    if (query[name] && !books.has(query[name])) books.set(query[name], 0);
    const options = [...books].map(([value, found]) => ({
      value,
      label: `${labelOf(name, value)} (${found})`,
    }));
    const order = orders[name];
    const rankOf = ({ value }: { value: string }) => order?.indexOf(value) ?? 0;
    options.sort((a, b) => rankOf(a) - rankOf(b) || collator.compare(a.value, b.value));
    return { name, ...names[name], options };
  });
  return fields.filter(({ name, options }) => name !== "kind" || options.length > 1 || query.kind);
}

const orders: Partial<Record<(typeof MORE_FILTERS)[number], readonly string[]>> = {
  price: PRICE_RANGES,
  kind: BOOK_KINDS,
};

function labelOf(name: (typeof MORE_FILTERS)[number], value: string): string {
  if (name === "stock") return "In stock";
  if (name === "grade") return value;
  if (name === "kind") return kindChoices[readKind(value)];
  const [from, below] = value.split("-");
  if (!below) return `GH₵${from} and more`;
  return from === "0" ? `Under GH₵${below}` : `GH₵${from} to ${below}`;
}

const byTitle = { value: "title", label: "Sort by title" };
const bestMatch = { value: "best", label: "Best match first" };

/** The orders to choose from, the usual one first; a searched text can also show its best match first. */
export function sorting({ q, usual }: CatalogueQuery): ChoiceField {
  const others = [usual === "best" ? byTitle : bestMatch, ...sorts];
  return {
    name: "sort",
    label: "Sort by",
    all: (usual === "best" ? bestMatch : byTitle).label,
    options: q ? others : sorts,
  };
}

const sorts = [
  { value: "price", label: "Sort by price, lowest first" },
  { value: "price-desc", label: "Sort by price, highest first" },
  { value: "newest", label: "Newest first" },
  { value: "rating", label: "Best rated first" },
];
