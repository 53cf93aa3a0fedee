import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { connectAsOwner, type OwnerClient } from "../../scripts/owner-client.ts";

/* npm run import-books, as the owner runs it: the command in a process of its own, the backend embedded. */

const command = join(import.meta.dirname, "../../scripts/import-books.ts");

let dataDir = "";
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "import-books-"));
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
async function importTable(table: string, ...options: string[]) {
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

async function listBooks(client: BackendClient) {
  const { data } = await client
    .from("books")
    .select("title, publisher, isbn, price, stock_quantity, description")
    .order("title")
    .throwOnError();
  return data;
}

const seconds = /\([\d.]+ s\)\.$/m;

describe("Importing books while no shop runs", () => {
  it("starts the backend itself, adds the books and leaves it stopped", async () => {
    const { code, said } = await importTable(
      'Title,ISBN,Authors,Price,Shelf\n"Ananse, the Spider",439023483,Ama Ata,45.50,B2\nPlain Pencils,,,,\n',
      ...["--default-price", "12.50", "--default-stock", "30", "--default-publisher", "Own Brand"],
    );
    expect(said).toContain("Columns read: Title, ISBN, Price, Authors (into the description)");
    expect(said).toContain("Columns left out: Shelf");
    expect(said).toMatch(/^2 books added, 0 updated, 0 unchanged \(/m);
    expect(said).toMatch(seconds);
    expect(code).toBe(0);

    const owner = await connectAsOwner(environment());
    try {
      expect(await listBooks(owner.client)).toEqual([
        {
          title: "Ananse, the Spider",
          publisher: "Own Brand",
          isbn: "0439023483",
          price: 45.5,
          stock_quantity: 30,
          description: "By Ama Ata.",
        },
        {
          title: "Plain Pencils",
          publisher: "Own Brand",
          isbn: null,
          price: 12.5,
          stock_quantity: 30,
          description: null,
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

  it("shows in a dry run what would change, and changes nothing", async () => {
    const before = await listBooks(shop.client);
    const table = "isbn,title,price,stock\n978-0-439-02348-1,Ananse Returns,60,5\n,New Book,70,1\n";
    const { code, said } = await importTable(table, "--dry-run");
    expect(said).toContain("1 book would change:");
    expect(said).toContain("  line 2: Ananse Returns: ");
    expect(said).toContain("price GH₵45.50 → GH₵60.00");
    expect(said).toContain("stock 30 → 5");
    expect(said).toMatch(/^1 book would be added, 1 would be updated, 0 unchanged \(/m);
    expect(code).toBe(0);
    expect(await listBooks(shop.client)).toEqual(before);
  });

  it("updates the book with the same ISBN, in whatever spelling, and keeps what the file does not say", async () => {
    const { said } = await importTable("isbn,title,price\n978-0-439-02348-1,Ananse Returns,\n");
    expect(said).toMatch(/^0 books added, 1 updated, 0 unchanged \(/m);
    expect(await listBooks(shop.client)).toMatchObject([
      { title: "Ananse Returns", price: 45.5, stock_quantity: 30, description: "By Ama Ata." },
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

  it("names every faulty row by its line and then imports nothing at all", async () => {
    const before = await listBooks(shop.client);
    const { code, said, complained } = await importTable(faulty);
    expect(said).toContain("6 rows with problems:");
    for (const [line, problem] of [
      [3, "The title is missing."],
      [4, "The price is no number of at least 0."],
      [5, "The stock is no whole number of at least 0."],
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

  it("leaves the faulty rows out when told to", async () => {
    const { code, said } = await importTable(faulty, "--skip-refused");
    expect(said).toMatch(/^1 book added, 0 updated, 0 unchanged, 6 rows left out \(/m);
    expect(code).toBe(0);
    expect((await listBooks(shop.client)).map((book) => book.title)).toContain("Good Book");
  });

  it("takes the last import back, once", async () => {
    const before = await listBooks(shop.client);
    await importTable("isbn,title,price,stock\n0439023483,Ananse in Town,99,1\n,Short Lived,45,2\n");
    expect(await listBooks(shop.client)).not.toEqual(before);
    expect((await run("--undo")).said).toContain(
      "books.csv is taken back: 1 book deleted, 1 as before, 0 kept.",
    );
    expect(await listBooks(shop.client)).toEqual(before);
  });

  it("says in one line what is wrong with the command or the file", async () => {
    for (const [words, line] of [
      [[], "Name one file; --help shows how."],
      [["missing.csv"], "missing.csv cannot be read (ENOENT)."],
      [["a.csv", "--default-price", "dear"], "--default-price must be an amount in cedis, such as 49.50"],
      [["a.csv", "--default-stock", "-1"], "--default-stock"],
      [["a.csv", "--undo"], "--undo stands alone."],
      [["a.csv", "--colour"], "Unknown option '--colour'"],
    ] as const) {
      const { code, complained } = await run(...words);
      expect(complained).toContain(line);
      expect(complained.trim().split("\n")).toHaveLength(1);
      expect(code).toBe(1);
    }
    expect((await importTable("name of it,cost\nA,1\n")).complained).toContain(
      "The file has no column for the title. Its headings are: name of it, cost",
    );
    expect((await run("--help")).said).toContain("Usage: npm run import-books -- FILE.csv");
  });
});
