import type { ListedTitle } from "#app/features/publishers/publisher.ts";

/** How staff write the titles that a publisher's page lists: one per line, its parts separated by vertical bars. */

const SEPARATOR = "|";

/** 'Light | 185.00 | 4.5 | Primary 4 | Science'. */
export function writeListedTitles(titles: readonly ListedTitle[]): string {
  return titles
    .map(({ title, price, rating, level, subject }) =>
      [title, price.toFixed(2), rating ?? "", level ?? "", subject ?? ""]
        .join(` ${SEPARATOR} `)
        .replace(/[ |]+$/, ""),
    )
    .join("\n");
}

/** The titles, or a message about the first line that is wrong. */
export function readListedTitles(text: string): { titles: ListedTitle[] } | { error: string } {
  const titles: ListedTitle[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const [title = "", price = "", rating = "", level = "", subject = ""] = line
      .split(SEPARATOR)
      .map((part) => part.trim());
    const error = (what: string) => ({ error: `${title || line.trim()}: ${what}` });
    if (title === "") return error("the title is missing.");
    if (!/^\d{1,8}(\.\d{1,2})?$/.test(price)) return error("the price must be a number, such as 185.50.");
    const stars = rating === "" ? null : Number(rating);
    if (stars !== null && !(stars >= 1 && stars <= 5)) return error("the rating must be from 1 to 5.");
    titles.push({
      title,
      price: Number(price),
      rating: stars,
      level: level || null,
      subject: subject || null,
    });
  }
  return { titles };
}
