import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findLastBookImport, undoBookImport } from "#app/office/catalogue/book-import/book-import.queries.ts";
import type { Pesewas } from "#shared/text/money.ts";
import { makeWorkbook } from "#tests/support/make-workbook.ts";
import { inWindows1252 } from "#tests/support/old-encodings.ts";
import { onixMessage, onixProduct } from "#tests/support/onix-message.ts";
import { copyPreparedFolder } from "#tests/support/prepared-folder.ts";
import { type ImportOptions, importBookFile } from "../../scripts/import-book-file.ts";
import { readMoneyOptions } from "../../scripts/list-money.ts";
import { applyNewRates } from "../../scripts/new-rates.ts";
import { connectAsOwner, type OwnerClient } from "../../scripts/owner-client.ts";

/* Price lists as publishers and wholesalers send them, from the file to the shop, by the command's code. */

const poundList = [
  "ISBN13;Title;Author;Imprint;Pub Date;Price (£);Format",
  "9789988991012;Café Maths 1;Zoë Aményo;Collins;12/03/2024;12.99;PB",
  "9789988991029;Café Maths 2;Zoë Aményo;Collins;12/03/2024;8.50;PB",
  "9789988991036;Café Maths Guide;Zoë Aményo;Collins;12/03/2024;GHS 125.00;HB",
].join("\r\n");

describe("A price list", () => {
  let dataDir = "";
  let owner: OwnerClient;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "price-lists-"));
    await copyPreparedFolder(dataDir);
    owner = await connectAsOwner({ DATA_DIR: dataDir, SHOP_DEMO: "0" });
  });
  afterAll(async () => {
    await owner?.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Imports a file and returns what was said. */
  async function importList(
    name: string,
    content: string | Uint8Array,
    typed: Parameters<typeof readMoneyOptions>[0] = {},
    more: Partial<ImportOptions> = {},
  ) {
    const path = join(dataDir, name);
    await writeFile(path, content);
    const said: string[] = [];
    const counts = await importBookFile(
      owner.client,
      path,
      {
        choices: { price: null, stock: 0, publisher: null, setsStock: false },
        money: readMoneyOptions(typed),
        dryRun: false,
        skipRefused: false,
        ...more,
      },
      { line: (text) => said.push(text), progress: () => {} },
    );
    return { counts, said };
  }
  const pricesOf = async (titles: string) => {
    const books = owner.client.from("books").select("title, price").like("title", titles).order("title");
    return (await books.throwOnError()).data.map(({ title, price }) => [title, price]);
  };

  it("in another currency is not imported without a rate, and the command says what to type", async () => {
    await expect(importList("collins-2026.csv", inWindows1252(poundList))).rejects.toThrow(
      "Nothing was imported. Prices of this file are not in cedis: 2 in British pounds (GBP).\n" +
        "Say what 1 GBP costs in cedis, what is added in per cent and what to round to: --rate GBP=… --add 12 --round 0.50",
    );
    expect(await pricesOf("Café%")).toEqual([]);
  });

  it("in another currency becomes cedis by the rate, with what is added, rounded, and keeps its own prices", async () => {
    const typed = { rate: ["GBP=15.80"], add: "12", round: "0.50" };
    const { counts, said } = await importList("collins-2026.csv", inWindows1252(poundList), typed);
    expect(counts).toMatchObject({ added: 3, refused: 0 });
    expect(said).toContain("  line 2: Café Maths 1: £12.99 → GH₵230.00");
    expect(await pricesOf("Café%")).toEqual([
      ["Café Maths 1", 230],
      ["Café Maths 2", 150.5],
      ["Café Maths Guide", 125],
    ]);
    const id = (await findLastBookImport(owner.client))?.id ?? "";
    const rows = owner.client
      .from("book_import_rows")
      .select("line, source_price, source_currency")
      .eq("import_id", id);
    expect((await rows.order("line").throwOnError()).data).toEqual([
      { line: 2, source_price: 12.99, source_currency: "GBP" },
      { line: 3, source_price: 8.5, source_currency: "GBP" },
      { line: 4, source_price: null, source_currency: null },
    ]);
  });

  it("in another currency has the supplier's last rate proposed, with its date, until that import is undone", async () => {
    const next = poundList.replace("12.99", "13.49");
    await expect(importList("Collins 2027.csv", inWindows1252(next))).rejects.toThrow(
      /Last used for collins, on \d+ \w+ \d{4}: --rate GBP=15\.8 --add 12 --round 0\.50/,
    );
    const last = await findLastBookImport(owner.client);
    await undoBookImport(owner.client, last?.id ?? "");
    expect(await pricesOf("Café%")).toEqual([]);
    await expect(importList("Collins 2027.csv", inWindows1252(next))).rejects.not.toThrow("Last used");
  });

  it("in another currency gets a new rate without its file, and leaves prices that were changed since", async () => {
    const list = "Title,Price (£)\nRated 1,12.99\nRated 2,8.50\nRated 3,GHS 125\n";
    await importList("rated.csv", list, { rate: ["GBP=15.80"], add: "12" });
    const prices = async () => (await pricesOf("Rated%")).map(([, price]) => price);
    await owner.client.from("books").update({ price: 99 }).eq("title", "Rated 2").throwOnError();
    const apply = (skipRefused: boolean) =>
      applyNewRates(
        owner.client,
        {
          source: "RATED",
          path: join(dataDir, "new-rate"),
          money: readMoneyOptions({ rate: ["GBP=20"] }),
          dryRun: false,
          skipRefused,
          signal: new AbortController().signal,
        },
        { line: () => {}, progress: () => {} },
      );
    await expect(apply(false)).rejects.toThrow("Nothing was changed.");
    expect(await apply(true)).toMatchObject({ updated: 1, refused: 1 });
    expect(await prices()).toEqual([291, 99, 125]);
    const last = await findLastBookImport(owner.client);
    await undoBookImport(owner.client, last?.id ?? "");
    expect(await prices()).toEqual([230, 99, 125]);
  });

  it("is known to be in another currency by the number formats of a workbook, also where they are mixed", async () => {
    const text = (value: string) => `<c t="str"><v>${value}</v></c>`;
    const row = (...cells: string[]) => `<row>${cells.join("")}</row>`;
    const sheet = [
      row(text("EXPORT PRICE LIST")),
      row(text("Title"), text("ISBN"), text("RRP")),
      row(text("Globe 1"), text("9789988992019"), '<c s="1"><v>12.99</v></c>'),
      row(text("Globe 2"), text("9789988992026"), '<c s="2"><v>1250</v></c>'),
    ].join("");
    const workbook = await makeWorkbook({ List: sheet }, ["[$$-409]#,##0.00", '"£"#,##0.00']);
    await expect(importList("globes.xlsx", workbook, { rate: ["GBP=10"] })).rejects.toThrow(
      "1 in US dollars (USD), 1 in British pounds (GBP)",
    );
    await importList("globes.xlsx", workbook, { rate: ["GBP=10", "USD=8"] });
    expect(await pricesOf("Globe%")).toEqual([
      ["Globe 1", 104],
      ["Globe 2", 12_500],
    ]);
  });

  it("refuses a rate for a currency that the list does not have", async () => {
    await expect(importList("cedis.csv", "Title,Price\nAtlas,45\n", { rate: ["GBP=10"] })).rejects.toThrow(
      "No price of this file is in GBP. If its prices are, without saying so, add --currency GBP",
    );
    const typed = { rate: ["gbp=10"], currency: "gbp" };
    const { said } = await importList("cedis.csv", "Title,Price\nAtlas,45.10\n", typed);
    expect(said).toContain("  line 2: Atlas: £45.10 → GH₵451.00");
  });

  const books = [
    "KANESHIE BOOKS,,,",
    "Title,ISBN,Publisher,Price",
    "LOWER PRIMARY,,,",
    "Field Reader 1,9789988993016,Collins,45.00",
    "Field Reader 2,9789988993023,Collins,45.00",
    "Sub-total Lower Primary,,,90.00",
    "JHS,,,",
    "Field Reader 3,9789988993030,Collins,12.50",
    "Carried forward,,,102.50",
    "TOTAL (GHS),,,102.50",
    "Prices are subject to change without notice. E.&O.E.,,,",
    "Bank: GCB 1010101010101,,,",
  ];

  it("imports no sums, headings and notes, also with a default price, and needs no leave for it", async () => {
    const choices = { price: 5000 as Pesewas, stock: 0, publisher: null, setsStock: false };
    const { counts, said } = await importList("kaneshie.csv", books.join("\n"), {}, { choices });
    expect(counts).toMatchObject({ added: 3, refused: 0, not_books: 8 });
    expect(said).toContain("8 lines left out, not books to sell:");
    expect(said).toContain("  line 10: This is a sum, not a book.");
    const file = join(dataDir, "kaneshie-left-out.csv");
    expect(said).toContain(`All of them: ${file}`);
    expect(await readFile(file, "utf8")).toContain('10,"This is a sum, not a book.",TOTAL (GHS)');
    expect(said).toContain(
      "Headings above books: Lower Primary, JHS. To fill a field of the books below them: --sections grade_level",
    );
    expect(await pricesOf("Field Reader%")).toEqual([
      ["Field Reader 1", 45],
      ["Field Reader 2", 45],
      ["Field Reader 3", 12.5],
    ]);
    expect(await pricesOf("%otal%")).toEqual([]);
  });

  it("asks about a line that may be a sum, and takes it when told", async () => {
    const list = [...books.slice(0, 5), "Both readers,,,90.00"].join("\n");
    await expect(importList("both.csv", list)).rejects.toThrow(
      /^Nothing was imported\. Correct these rows.* To import lines that may not be books: --take-unsure/,
    );
    const { counts } = await importList("both.csv", list, {}, { takesUnsure: new Set([6]) });
    expect(counts).toMatchObject({ added: 1, unchanged: 2, refused: 0, not_books: 2 });
  });

  it("fills the class of the books below a heading, when told", async () => {
    await importList("kaneshie.csv", books.join("\n"), {}, { sectionField: "grade_level" });
    const readers = owner.client.from("books").select("grade_level").like("title", "Field Reader%");
    expect((await readers.order("title").throwOnError()).data).toEqual([
      { grade_level: "Lower Primary" },
      { grade_level: "Lower Primary" },
      { grade_level: "JHS" },
    ]);
  });

  it("with two columns for the price asks which one, with examples", async () => {
    const list =
      "ISBN,Title,Publisher,Price,Price,Qty\n,,,2025,2026,\n9789988994013,Chart 1,Collins,40.00,55.00,3\n9789988994020,Chart 2,Collins,41.00,56.00,3\n";
    await expect(importList("two.csv", list)).rejects.toThrow(
      "Several columns may be the price. Say which one, such as --column price=4\n" +
        "  column 4, Price: 2025, 40.00, 41.00\n  column 5, Price: 2026, 55.00, 56.00",
    );
    await expect(importList("two.csv", list, {}, { columns: { columns: { price: 6 } } })).rejects.toThrow(
      "There is no column 7: the file has 6.",
    );
    // The quantity's column is the class now, and no stock.
    await importList("two.csv", list, {}, { columns: { columns: { price: 4, grade_level: 5 } } });
    const stock = owner.client.from("books").select("stock_quantity, grade_level").like("title", "Chart%");
    expect((await stock.throwOnError()).data[0]).toEqual({ stock_quantity: 0, grade_level: "3" });
    expect(await pricesOf("Chart%")).toEqual([
      ["Chart 1", 55],
      ["Chart 2", 56],
    ]);
  });

  it("has rows and columns that are hidden in a workbook left out, and taken when told", async () => {
    const row = (title: string, isbn: string, price: number, hidden = "") =>
      `<row${hidden}><c t="str"><v>${title}</v></c><c t="str"><v>${isbn}</v></c><c><v>9</v></c><c><v>${price}</v></c></row>`;
    const headings =
      '<row><c t="str"><v>Title</v></c><c t="str"><v>ISBN</v></c><c t="str"><v>Price</v></c><c t="str"><v>RRP</v></c></row>';
    const rows =
      headings + row("Map 1", "9789988995010", 20) + row("Map 2", "9789988995027", 30, ' hidden="1"');
    const workbook = await makeWorkbook({
      List: `<cols><col min="3" max="3" hidden="1"/></cols><sheetData>${rows}</sheetData>`,
    });
    const { said } = await importList("maps.xlsx", workbook);
    expect(said).toContain(
      "1 row hidden in the workbook left out. To take hidden rows and columns: --take-hidden",
    );
    expect(await pricesOf("Map%")).toEqual([["Map 1", 20]]);
    const taken = { takesHidden: true, columns: { price: 3 } };
    await importList("maps.xlsx", workbook, {}, { columns: taken });
    expect(await pricesOf("Map%")).toEqual([
      ["Map 1", 20],
      ["Map 2", 30],
    ]);
  });

  it("that is an ONIX message asks for rates, says what it left out, and can be repaired and undone like any other", async () => {
    const named = (
      title: string,
      isbn: string,
      price: string,
      more: Partial<Parameters<typeof onixProduct>[0]> = {},
    ) => onixProduct({ title: `Onyx ${title}`, isbn, price, publisher: "Pearson &amp; Sons", ...more });
    const imprint = "<Imprint><ImprintName>COLLINS</ImprintName></Imprint><Publisher>";
    const message = onixMessage([
      named("1 &eacute;", "9789988996017", "12.99").replace("<Publisher>", imprint),
      named("2", "9789988996024", "125.00", { currency: "GHS" }),
      named("Display", "9789988996031", "90.00").replace("<ProductForm>BC", "<ProductForm>XB"),
      named("Old", "9789988996048", "9.00").replace("<PublishingStatus>04", "<PublishingStatus>07"),
      named("Trade", "9789988996055", "6.00").replace("<PriceType>02", "<PriceType>05"),
    ]);
    await expect(importList("onyx.txt", message)).rejects.toThrow(
      "Nothing was imported. Prices of this file are not in cedis: 2 in British pounds (GBP).",
    );
    const typed = { rate: ["GBP=10"] };
    await expect(importList("onyx.txt", message, typed)).rejects.toThrow(
      "Nothing was imported. Correct these rows",
    );
    const { counts, said } = await importList("onyx.txt", message, typed, { skipRefused: true });
    expect(counts).toMatchObject({ added: 2, refused: 1, not_books: 2 });
    expect(said).toContain("1 row with problems:");
    expect(said).toContain("2 lines left out, not books to sell:");
    expect(said.join("\n")).toMatch(/line \d+: The price is missing\./);
    expect(said.join("\n")).toMatch(/line \d+: The list has only what the publisher charges a shop/);
    const books = owner.client
      .from("books")
      .select("title, price, publisher")
      .like("title", "Onyx%")
      .order("title");
    expect((await books.throwOnError()).data).toEqual([
      { title: "Onyx 1 é", price: 130, publisher: "Collins" },
      { title: "Onyx 2", price: 125, publisher: "Pearson & Sons" },
    ]);

    const left = await readFile(join(dataDir, "onyx-to-repair-2.csv"), "utf8");
    expect(left).toContain("Trade price: not what a shop charges,GBP 6.00");
    const lines = await readFile(join(dataDir, "onyx-left-out-2.csv"), "utf8");
    const again = await importList("onyx-left-out.csv", lines.replace(",07,", ",04,"), typed);
    expect(again.counts).toMatchObject({ added: 1, refused: 0, not_books: 1 });
    expect(again.said).toContain("1 line left out, not a book to sell:");

    for (const _ of ["repaired", "first"])
      await undoBookImport(owner.client, (await findLastBookImport(owner.client))?.id ?? "");
    expect(await pricesOf("Onyx%")).toEqual([]);
    await expect(importList("onyx.txt", message.slice(0, -300), typed)).rejects.toThrow(
      "The file ends in the middle",
    );
  });
});
