import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { csvLine } from "#shared/tables/csv.ts";
import { makeWorkbook } from "#tests/support/make-workbook.ts";
import { inUtf16 } from "#tests/support/old-encodings.ts";
import { copyPreparedFolder } from "#tests/support/prepared-folder.ts";
import { makeSupplierList } from "#tests/support/supplier-list.ts";
import { connectAsOwner, type OwnerClient } from "../../scripts/owner-client.ts";

/* npm run import-books, as the owner runs it: the command in a process of its own, the backend embedded. */

const command = join(import.meta.dirname, "../../scripts/import-books.ts");

let dataDir = "";
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "import-books-"));
  await copyPreparedFolder(dataDir);
});
afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true });
});

const environment = () => ({
  ...process.env,
  DATA_DIR: dataDir,
  SHOP_DEMO: "0",
  ADMIN_EMAIL: "",
  ADMIN_PASSWORD: "",
});

/** Writes the table to a file and imports it. */
async function importTable(table: string | Buffer, ...options: string[]) {
  const path = join(dataDir, "books.csv");
  await writeFile(path, table);
  return run(path, ...options);
}

function run(...words: string[]): Promise<{ code: number; said: string; complained: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [command, ...words], { env: environment() }, (error, said, complained) => {
      resolve({ code: error === null ? 0 : Number(error.code), said, complained });
    });
  });
}

/** A file that the command has written, as one reads it in a spreadsheet. */
async function readTable(name: string): Promise<Record<string, string>[]> {
  return parse(await readFile(join(dataDir, name)), { bom: true, columns: true, relax_column_count: true });
}

async function listBooks(client: BackendClient) {
  const { data } = await client
    .from("books")
    .select("title, publisher, isbn, price, stock_quantity, authors")
    .order("title")
    .throwOnError();
  return data;
}

const seconds = /\([\d.]+ s\)\.$/m;

describe("Importing books while no shop runs", () => {
  it("starts the backend itself, adds the books and leaves it stopped", async () => {
    const { code, said } = await importTable(
      'Title,ISBN,Authors,Price,VAT code\n"Ananse, the Spider",439023483,Ama Ata,45.50,B2\nPlain Pencils,,,,\n',
      "--default-price",
      "12.50",
      "--default-stock",
      "30",
      "--default-publisher",
      "Own Brand",
    );
    expect(said).toContain("Columns read: Title, Authors, ISBN, Price");
    expect(said).toContain("Columns left out: VAT code");
    expect(said).toMatch(/^2 books added, 0 updated, 0 unchanged \(/m);
    expect(said).toMatch(seconds);
    expect(code).toBe(0);

    const owner = await connectAsOwner(environment());
    try {
      expect(await listBooks(owner.client)).toEqual([
        {
          title: "Ananse, the Spider",
          publisher: "Own Brand",
          isbn: "9780439023481",
          price: 45.5,
          stock_quantity: 30,
          authors: "Ama Ata",
        },
        {
          title: "Plain Pencils",
          publisher: "Own Brand",
          isbn: null,
          price: 12.5,
          stock_quantity: 30,
          authors: null,
        },
      ]);
    } finally {
      await owner.close();
    }
  });
});

describe("Importing books while the shop runs", () => {
  let shop: OwnerClient;
  beforeAll(async () => {
    shop = await connectAsOwner(environment());
  });
  afterAll(() => shop?.close());

  it("reads the named sheet of an Excel workbook", async () => {
    const path = join(dataDir, "books.xlsx");
    const row = (...cells: string[]) =>
      `<row>${cells.map((cell) => `<c t="str"><v>${cell}</v></c>`).join("")}</row>`;
    const books = row("Title", "Price", "Publisher") + row("From a sheet", "45", "Own Brand");
    await writeFile(path, await makeWorkbook({ Notes: row("Hello"), Books: books }));
    const { code, said } = await run(path, "--sheet", "Books", "--dry-run");
    expect(said).toMatch(/^1 book would be added, 0 would be updated, 0 unchanged \(/m);
    expect(code).toBe(0);
  });

  it("shows in a dry run what would change, and changes nothing", async () => {
    const before = await listBooks(shop.client);
    const table = "isbn,title,price,stock\n978-0-439-02348-1,Ananse Returns,60,5\n,New Book,70,1\n";
    const { code, said } = await importTable(table, "--dry-run", "--set-stock");
    expect(said).toContain("1 book would change:");
    expect(said).toContain("  line 2: Ananse Returns: ");
    expect(said).toContain("price GH₵45.50 → GH₵60.00");
    expect(said).toContain("stock 30 → 5");
    expect(said).toContain("The stock of 1 book changes.");
    expect(said).toMatch(/^1 book would be added, 1 would be updated, 0 unchanged \(/m);
    expect(code).toBe(0);
    expect(await listBooks(shop.client)).toEqual(before);
  });

  it("says how far prices and stocks move and what is odd, and imports a price of ten times the old one only when told", async () => {
    const before = await listBooks(shop.client);
    const table = "isbn,title,price,stock\n978-0-439-02348-1,,455,5\n,New Book,0,1\n";
    const planned = [
      "1 price rises, 0 fall, 0 stay. Together, the changed ones go from GH₵45.50 to GH₵455.00 (+900.0 %).",
      "Stock rises for 0 books and falls for 1. Together, it goes from 30 to 5 copies (−83.3 %). New books bring 1 copy.",
      "Look first: 1 price becomes ten times the old one or more, or a tenth or less. A decimal point may be missing, or another column was taken for the price.",
      "  line 2: Ananse, the Spider: GH₵45.50 → GH₵455.00",
      "Odd: 1 book would cost nothing. Their price may be missing in the list. Customers could order them for GH₵0.00.",
    ];
    const dry = await importTable(table, "--set-stock", "--dry-run");
    const largest = "  line 2: Ananse, the Spider: GH₵45.50 → GH₵455.00 (10 times)";
    for (const line of [...planned, largest]) expect(dry.said).toContain(`${line}\n`);
    const refused = await importTable(table, "--set-stock");
    for (const line of planned) expect(refused.said).toContain(`${line}\n`);
    expect([refused.code, refused.complained]).toEqual([
      1,
      expect.stringContaining(
        "Nothing was imported. Look at what is marked “Look first”; if it is right, add --accept-odd.",
      ),
    ]);
    expect(await listBooks(shop.client)).toEqual(before);
    const { code, said } = await importTable(table, "--set-stock", "--accept-odd");
    expect(said).toMatch(/^1 book added, 1 updated, 0 unchanged \(/m);
    expect(code).toBe(0);
    await run("--undo", "--yes");
    expect(await listBooks(shop.client)).toEqual(before);
  });

  it("leaves the stock of a book that the shop has as it is, and says so, unless the option to set it is given", async () => {
    const before = await listBooks(shop.client);
    const { said } = await importTable("isbn,title,stock\n978-0-439-02348-1,,5\n");
    expect(said).toContain(
      "The file gives a different stock for 1 book that the shop already has; its stock stays as it is. To set it as well: --set-stock",
    );
    expect(said).toMatch(/^0 books added, 0 updated, 1 unchanged \(/m);
    expect(await listBooks(shop.client)).toEqual(before);
  });

  it("sets the stock of an export only where none was sold since", async () => {
    const exported = (stock: number, seen: number) =>
      `isbn,title,stock,Stock at export\n978-0-439-02348-1,,${stock},${seen}\n`;
    const { code, said, complained } = await importTable(exported(33, 31));
    expect(said).toContain(
      "line 2: The stock was 31 in the export and is 30 now. Export the books again, or change it on the stock card.",
    );
    expect([code, complained]).toEqual([1, expect.stringContaining("Nothing was imported.")]);
    const { said: then } = await importTable(exported(31, 31));
    expect(then).toContain(
      "1 book has been sold or received since the export: the stock stays as it is now.",
    );
  });

  it("updates the book with the same ISBN, however it is written, and keeps fields that the file does not have", async () => {
    const { said } = await importTable("isbn,title,price\n978-0-439-02348-1,Ananse Returns,\n");
    expect(said).toMatch(/^0 books added, 1 updated, 0 unchanged \(/m);
    expect(await listBooks(shop.client)).toMatchObject([
      { title: "Ananse Returns", price: 45.5, stock_quantity: 30, authors: "Ama Ata" },
      { title: "Plain Pencils" },
    ]);
  });

  const faulty = [
    "title,isbn,price,stock",
    "Good Book,9780306406157,45,3",
    ",,45,3",
    "Dear Book,,a lot,3",
    '"Two',
    'Lines",,45,half',
    "No Price,,,3",
    "Good Again,0-306-40615-2,45,3",
    "Shifted, with commas,,45,3",
  ].join("\n");

  it("names every invalid row by its line and then imports nothing at all", async () => {
    const before = await listBooks(shop.client);
    const { code, said, complained } = await importTable(faulty);
    expect(said).toContain("6 rows with problems:");
    for (const [line, problem] of [
      [3, "The title is missing."],
      [4, "The price “a lot” is not an amount of 0 or more."],
      [5, "The stock “half” is not a whole number of 0 or more."],
      [7, "The price is missing."],
      [8, "The same ISBN is in line 2."],
      [9, "The row has more cells than there are headings."],
    ]) {
      expect(said).toContain(`  line ${line}: ${problem}`);
    }
    expect(complained).toContain(
      "Nothing was imported. Correct these rows, or leave them out with --skip-refused.",
    );
    expect(code).toBe(1);
    expect(await listBooks(shop.client)).toEqual(before);
  });

  it("leaves the invalid rows out on request", async () => {
    const { code, said } = await importTable(faulty, "--skip-refused");
    expect(said).toMatch(/^1 book added, 0 updated, 0 unchanged; not imported: 6 rows with problems \(/m);
    expect(code).toBe(0);
    expect((await listBooks(shop.client)).map((book) => book.title)).toContain("Good Book");
    const leftOut = await readTable("books-to-repair-2.csv");
    expect(leftOut.map(({ Line }) => Number(Line))).toEqual([3, 4, 5, 7, 8, 9]);
    expect(leftOut[2]).toMatchObject({
      Reason: "The stock “half” is not a whole number of 0 or more.",
      title: "Two\nLines",
      stock: "half",
    });
  });

  it("takes a supplier's list of 3,000 rows as it is, and loses none: the rest are in a file to repair", {
    tags: "long",
  }, async () => {
    const { text, fates } = makeSupplierList(8);
    // The shop's spellings are those of the books that it has.
    const shelf =
      "Title,Publisher,Price\nAtlas,Cambridge University Press,9\nPhonics,Schofield & Sims,9\nPapers,CGP,9\n";
    expect(await importTable(shelf)).toMatchObject({ code: 0 });
    await writeFile(join(dataDir, "supplier.csv"), inUtf16(text));
    const options = ["--skip-refused", "--column", "subject=7"];
    const { code, said } = await run(join(dataDir, "supplier.csv"), ...options);
    const good = fates.flatMap(({ book }) => (book ? [book] : []));
    const bad = fates.filter(({ reason, notABook }) => reason && !notABook);
    const others = fates.filter(({ notABook }) => notABook);
    const counted = (count: number) => count.toLocaleString("en-GB");
    expect(said).toContain(
      `${counted(good.length)} books added, 0 updated, 0 unchanged; not imported: ${counted(bad.length)} rows with problems, ${counted(others.length)} lines left out`,
    );
    expect(code).toBe(0);

    const stored = new Map<string, unknown>();
    for (let from = 0; ; from += 1_000) {
      const { data } = await shop.client
        .from("books")
        .select("title, publisher, isbn, price, stock:stock_quantity")
        .order("id")
        .range(from, from + 999)
        .throwOnError();
      for (const book of data) stored.set(book.title, book);
      if (data.length < 1_000) break;
    }
    for (const book of good) expect(stored.get(book.title)).toEqual(book);

    const leftOut = await readTable("supplier-to-repair.csv");
    for (const [rows, expected] of [
      [leftOut, bad],
      [await readTable("supplier-left-out.csv"), others],
    ] as const) {
      expect(rows.map(({ Line }) => Number(Line))).toEqual(expected.map(({ line }) => line));
      rows.forEach(({ Reason }, at) => {
        expect(Reason).toContain(expected[at]?.reason);
      });
    }

    // Repaired, they come in. Those with the ISBN of a book that has come in would change it, so they are deleted.
    const reported = leftOut.filter(({ Reason = "" }) => !/same ISBN|never closes/.test(Reason));
    const repaired = reported.map((row, at) =>
      /title is missing|price is missing/.test(row.Reason ?? "")
        ? { ...row, "Title of Book": `Repaired ${at}`, "Unit Price (GH₵)": "9,50" }
        : row,
    );
    const count = repaired.filter((row) => row["Title of Book"]?.startsWith("Repaired")).length;
    const lines = [Object.keys(repaired[0] ?? {}), ...repaired.map((row) => Object.values(row))];
    await writeFile(join(dataDir, "supplier-to-repair.csv"), lines.map(csvLine).join(""));
    const again = await run(join(dataDir, "supplier-to-repair.csv"), ...options, "--accept-odd");
    expect(again.said).toContain(
      `${count} books added, 0 updated, 0 unchanged; not imported: ${reported.length - count} rows with problems`,
    );
    const still = await readTable("supplier-to-repair-2.csv");
    expect(still).toHaveLength(reported.length - count);
    await run("--undo", "--yes");
    await run("--undo", "--yes");
  });

  it("shows what --undo would take back, and undoes the last import with --yes", async () => {
    const before = await listBooks(shop.client);
    await importTable("isbn,title,price,stock\n0439023483,Ananse in Town,99,1\n,Short Lived,45,2\n");
    const imported = await listBooks(shop.client);
    expect(imported).not.toEqual(before);
    const { code, said } = await run("--undo");
    expect(said).toMatch(
      /This would take back books\.csv, imported on .+: 1 new book deleted and 1 book changed back\./,
    );
    expect(said).toContain("Nothing has changed. To take it back: npm run import-books -- --undo --yes");
    expect([code, await listBooks(shop.client)]).toEqual([0, imported]);
    expect((await run("--undo", "--yes")).said).toContain(
      "books.csv is taken back: 1 book deleted, 1 changed back, 0 kept.",
    );
    expect(await listBooks(shop.client)).toEqual(before);
  });

  it("says in one line what is wrong with the command or the file", { tags: "long" }, async () => {
    for (const [words, line] of [
      [[], "Name one file; --help shows how."],
      [["missing.csv"], "missing.csv cannot be read (ENOENT)."],
      [["a.csv", "--default-price", "dear"], "--default-price must be an amount in cedis, such as 49.50"],
      [["a.csv", "--default-stock", "-1"], "--default-stock"],
      [["a.csv", "--undo"], "--undo takes no other options except --yes and --rows-per-step."],
      [["a.csv", "--colour"], "Unknown option '--colour'"],
    ] as const) {
      const { code, complained } = await run(...words);
      expect(complained).toContain(line);
      expect(complained.trim().split("\n")).toHaveLength(1);
      expect(code).toBe(1);
    }
    expect((await importTable("name of it,cost\nA,1\n")).complained).toContain(
      "The file has no column for the title or the ISBN. Its headings are: name of it, cost",
    );
    expect((await run("--help")).said).toContain("Usage: npm run import-books -- FILE [options]");
  });
});
