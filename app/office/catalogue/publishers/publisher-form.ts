import type { FieldErrors } from "#app/components/use-form.ts";
import { PAGE_KINDS, SHOWN } from "#app/features/publishers/publisher.ts";
import { readListedTitles, writeListedTitles } from "./listed-titles.ts";
import type { PublisherRow, PublisherValues } from "./publisher.admin-queries.ts";

/** The form's values; lists are texts with one entry per line. */
export type PublisherForm = {
  name: string;
  slug: string;
  logo_url: string;
  mark: number;
  description: string;
  known_for: string;
  note: string;
  shown: string;
  page: string;
  titles: string;
  in_filter: boolean;
  has_order_links: boolean;
};

/** The database's limits (private.read_publisher). */
export const limits = { name: 200, slug: 60, description: 1000, note: 300, series: 12 } as const;

export const SHOWN_LABELS = {
  menu: "In menus and lists",
  page: "On All publishers only",
  nowhere: "Nowhere",
} as const;

export const PAGE_LABELS = {
  live: "Its books from the catalogue",
  showcase: "The titles listed below",
} as const;

/** The form of a publisher, or of a new one. `count` is how many publishers there are: each new one has another mark. */
export function publisherForm(row: PublisherRow | null, count: number, marks: number): PublisherForm {
  return {
    name: row?.name ?? "",
    slug: row?.slug ?? "",
    logo_url: row?.logo_url ?? "",
    mark: row?.mark ?? (count % marks) + 1,
    description: row?.description ?? "",
    known_for: (row?.known_for ?? []).join("\n"),
    note: row?.note ?? "",
    shown: row?.shown ?? "menu",
    page: row?.page ?? "live",
    titles: writeListedTitles(row?.titles ?? []),
    in_filter: row?.in_filter ?? true,
    has_order_links: row?.has_order_links ?? false,
  };
}

/** 'Schofield & Sims' as 'schofield-sims': the address suggested for a name. */
export function suggestSlug(name: string): string {
  const words =
    name
      .normalize("NFD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.join("-").slice(0, limits.slug).replace(/-$/, "");
}

export function findErrors(form: PublisherForm): FieldErrors<PublisherForm> {
  const slug = form.slug.trim();
  const read = readListedTitles(form.titles);
  return {
    name: form.name.trim() === "" ? "Name is required" : null,
    slug: /^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug)
      ? null
      : slug === ""
        ? "Address is required"
        : "Use small letters, digits and single hyphens",
    known_for:
      linesOf(form.known_for).length > limits.series
        ? `At most ${limits.series} lines, one for each series`
        : null,
    titles:
      "error" in read
        ? read.error
        : form.page === "showcase" && read.titles.length === 0
          ? "List at least one title, or show books from the catalogue"
          : null,
  };
}

/** Converts a valid form for saving. */
export function publisherValues(form: PublisherForm): PublisherValues {
  const read = readListedTitles(form.titles);
  return {
    name: form.name.trim(),
    slug: form.slug.trim(),
    logo_url: form.logo_url || null,
    mark: form.mark,
    description: form.description.trim() || null,
    known_for: linesOf(form.known_for),
    note: form.note.trim() || null,
    shown: SHOWN.find((one) => one === form.shown) ?? "menu",
    page: PAGE_KINDS.find((one) => one === form.page) ?? "live",
    titles: "titles" in read ? read.titles : [],
    in_filter: form.in_filter,
    has_order_links: form.has_order_links,
  };
}

const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
