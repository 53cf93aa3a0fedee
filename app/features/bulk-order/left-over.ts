import type { SavedTable } from "#shared/tables/table-file.ts";
import { countOf } from "#shared/text/count-of.ts";
import type { OpenLine } from "./pad.ts";

/** The lines that could not be ordered, each with its reason. */
export function leftOverTable(open: readonly OpenLine[]): SavedTable {
  return {
    name: "lines-not-ordered",
    headings: ["Line", "ISBN or title", "Title", "Quantity", "Reason"],
    rows: open.map(({ line: { line, isbn, title, quantity, written }, problem }) => [
      ...[line, isbn, title === isbn ? "" : title, quantity ?? written, problem],
    ]),
  };
}

/** A link to a chat or an email program cannot hold more. */
const MAX_CHARACTERS = 1_500;

/** A message to the shop that asks for the lines. */
export function leftOverMessage(open: readonly OpenLine[]): { subject: string; body: string } {
  const rows = open.map(({ line: { isbn, title, quantity, written }, problem }) => {
    const name = [isbn, title].filter((text, place, all) => text && all.indexOf(text) === place).join(", ");
    return `${quantity ?? (written || "?")} x ${name.slice(0, 120)} (${problem})`;
  });
  const shown: string[] = [];
  let length = 0;
  for (const row of rows) {
    length += row.length + 2;
    if (length > MAX_CHARACTERS) break;
    shown.push(row);
  }
  const more = rows.length - shown.length;
  return {
    subject: "Books missing from our order",
    // Email programs need CRLF; WhatsApp accepts it too.
    body: [
      "Can you help us with these books?",
      "",
      ...shown,
      ...(more > 0 ? [`And ${countOf(more, "more line")}, which I can send you as a file.`] : []),
    ].join("\r\n"),
  };
}
