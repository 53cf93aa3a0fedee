import { readXmlRecords } from "#app/lib/tables/read-xml-records.ts";
import { ArchiveProblem } from "#app/lib/tables/unzip.ts";
import { XmlFileProblem } from "#app/lib/tables/xml-text.ts";
import { type BookTable, BookTableProblem, type TableRow } from "./book-table.ts";
import { textOf } from "./onix-elements.ts";
import { onixName } from "./onix-names.ts";
import type { PriceDefaults } from "./onix-price.ts";
import { ONIX_COLUMNS, type OnixColumn, readOnixProduct } from "./onix-product.ts";

/*
 * An ONIX message as a price list: a row for each product. Everything after that, from currencies to problems, is as for any other list.
 */

/** The headings of a message's rows. Those of one with a price in no currency have staff asked in which it is. */
export const onixHeadings = (hasBarePrice: boolean): string[] =>
  ONIX_COLUMNS.map((column) => (column === "Price" && hasBarePrice ? "Price (?)" : column));

const TRADE_PRICE_ONLY =
  "The list has only what the publisher charges a shop, in the column Net trade price. It is not taken for the price.";

type Reading = {
  /** Told if a price names no currency, and the header none for all. */
  onBarePrice?: () => void;
  /** Told if the file is not in UTF-8 and does not say in what. */
  onWindowsText?: () => void;
  now?: Date;
};

/**
 * The rows of a message, as it is read. Each has the line on which its product begins; where several begin on one, they count on from there.
 * @throws BookTableProblem where the message is not whole
 */
export async function* readOnixRows(
  chunks: AsyncIterable<Uint8Array>,
  { onBarePrice, onWindowsText, now = new Date() }: Reading = {},
): AsyncGenerator<TableRow> {
  const today = now.toISOString().slice(0, 10).replaceAll("-", "");
  let defaults: PriceDefaults = { currency: "", type: "" };
  let line = 0;
  try {
    for await (const element of readXmlRecords(chunks, {
      nameOf: onixName,
      ...(onWindowsText && { onWindowsText }),
    })) {
      if (element.name === "header")
        defaults = {
          currency: textOf(element, "defaultcurrencycode"),
          type: textOf(element, "defaultpricetype", "defaultpricetypecode"),
        };
      if (element.name !== "product") continue;
      line = Math.max(element.line, line + 1);
      const { cells, reason } = readOnixProduct(element, defaults, today);
      if (cells.Price !== "" && cells.Currency === "") onBarePrice?.();
      yield {
        line,
        cells: ONIX_COLUMNS.map((column) => cells[column]),
        ...(reason && { problem: reason }),
        ...(cells["Net trade price"] !== "" && { hint: TRADE_PRICE_ONLY }),
      };
    }
  } catch (error) {
    throw error instanceof XmlFileProblem || error instanceof ArchiveProblem
      ? new BookTableProblem(error.message)
      : error;
  }
  if (line === 0) throw new BookTableProblem("The ONIX message has no products.");
}

/** Columns that a table has even if no product says anything about them. */
const ALWAYS: ReadonlySet<OnixColumn> = new Set<OnixColumn>(["ISBN", "Title", "Price"]);

/**
 * A whole message that fits into memory, without the columns that are empty in it.
 * @throws BookTableProblem
 */
export async function readOnixTable(
  chunks: AsyncIterable<Uint8Array>,
  maxRows: number,
  now?: Date,
): Promise<BookTable> {
  let hasBarePrice = false;
  let isWindowsText = false;
  const rows: TableRow[] = [];
  const filled = new Set<number>();
  const reading = readOnixRows(chunks, {
    onBarePrice: () => {
      hasBarePrice = true;
    },
    onWindowsText: () => {
      isWindowsText = true;
    },
    ...(now && { now }),
  });
  for await (const row of reading) {
    if (rows.length === maxRows)
      throw new BookTableProblem(
        `The message has more than ${maxRows.toLocaleString("en-GB")} products. Import it with the command (npm run import-books), or ask for smaller files.`,
      );
    rows.push(row);
    for (const [place, cell] of row.cells.entries()) if (cell !== "") filled.add(place);
  }
  const places = ONIX_COLUMNS.flatMap((column, place) =>
    filled.has(place) || ALWAYS.has(column) ? [place] : [],
  );
  const shown = (cells: readonly string[]) => places.map((place) => cells[place] ?? "");
  return {
    headings: shown(onixHeadings(hasBarePrice)),
    rows: rows.map((row) => ({ ...row, cells: shown(row.cells) })),
    encoding: isWindowsText ? "Windows-1252" : "UTF-8",
  };
}
