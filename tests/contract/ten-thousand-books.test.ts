import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findCataloguePage, listCatalogueBooks } from "#app/features/catalogue/catalogue.queries.ts";
import { readCatalogueQuery } from "#app/features/catalogue/catalogue-query.ts";
import { type BackendClient, createAnonymousBackend } from "#app/lib/backend/client.ts";
import { bookExport } from "#app/office/catalogue/books/book-export.ts";
import { collectRows } from "#app/office/frame/export/collect-rows.ts";
import { readSecrets } from "#server/lib/secrets.ts";
import { fetchOverSocket } from "#server/shop/control-socket.ts";
import { csvFile } from "#shared/tables/csv.ts";
import { pesewasFromCedis } from "#shared/text/money.ts";
import { textOf } from "#tests/support/csv-text.ts";
import { inGateOrLong, isLong } from "#tests/support/long.ts";
import { copyPreparedFolder } from "#tests/support/prepared-folder.ts";
import { importBookFile } from "../../scripts/import-book-file.ts";
import { connectAsOwner, type OwnerClient } from "../../scripts/owner-client.ts";
import { schoolBooks } from "../load/school-books.ts";

/* A large catalogue, messy as suppliers' lists are: imported by the command's code, searched as the shop does. */

/** ISBN, title and authors, with the zeros that spreadsheets drop, other scripts, signs with a meaning elsewhere, and spaces. */
const messy = [
  ["439023483", "The Hunger Games (The Hunger Games, #1)", "Suzanne Collins"],
  ["439023491", "Catching Fire (The Hunger Games, #2)", "Suzanne Collins"],
  ["61120081", "To Kill a Mockingbird", "Harper Lee"],
  ["60764899", "The Lion, the Witch, and the Wardrobe (Chronicles of Narnia, #1)", "C.S. Lewis"],
  ["081299499X", 'Not That Kind of Girl: A Young Woman Tells You What She\'s "Learned"', "Lena Dunham"],
  ["1558743669", 'A Child Called "It" (Dave Pelzer #1)', "Dave Pelzer"],
  ["62265423", "10% Happier: How I Tamed the Voice in My Head", "Dan   Harris"],
  ["743264460", "Killing Yourself to Live: 85% of a True Story", "Chuck Klosterman"],
  ["61992704", "Sh*t My Dad Says", "Justin Halpern"],
  ["", "snake_case and C:\\Books: Computing for Beginners", "Yaw O'Brien"],
  ["696215322", "Better Homes and Gardens New Cook Book  ", "Better Homes and Gardens"],
  ["310328179", "Bread and   Wine: A Love Letter to Life Around the Table", "Shauna Niequist"],
  ["451525264", "Les Misérables (Abridged)", "Victor Hugo, Lee Fahnestock"],
  ["", "Sets a,b and c", "Efua O’Brien"],
  ["", "', '", "Anonymous"],
  ["", '"حكايات فرغلي المستكاوي "حكايتى مع كفر السحلاوية', "حسن الجندي"],
  ["9770915343", "أولاد حارتنا", "Naguib Mahfouz, نجيب محفوظ"],
  ["", "The Qur'an / القرآن الكريم", "Anonymous"],
  ["9645571766", "عقاید یک دلقک", "Heinrich Böll, محمد اسماعیل\u200cزاده"],
  ["4103534222", "1Q84 BOOK 1 (1Q84, #1)", "Haruki Murakami, 村上 春樹"],
  [
    "4063347761",
    "美少女戦士セーラームーン新装版 1 [Bishōjo Senshi Sailor Moon Shinsōban 1]",
    "Naoko Takeuchi, 武内 直子",
  ],
  ["", "1919", "أحمد مراد"],
  [
    "1568584253",
    "Soccernomics: Why England Loses, Why Germany and Brazil Win, and Why the U.S., Japan, Australia, Turkey--and Even Iraq--Are Destined to Become the Kings of the World's Most Popular Sport",
    "Simon Kuper, Stefan Szymanski",
  ],
].map(([isbn = "", title = "", authors = ""]) => ({ isbn, title, authors }));

/** Every tenth book of the large list in the gate. */
const listed = [...schoolBooks().filter((_, line) => isLong || line % 10 === 0), ...messy].map(
  ({ isbn, title, authors }) => ({ isbn, title, authors }),
);

describe("A shop with thousands of books", () => {
  let dataDir = "";
  let owner: OwnerClient;
  let visitor: BackendClient;
  let list = "";
  const silent = { line: () => {}, progress: () => {} };
  const options = {
    choices: { price: pesewasFromCedis(50), stock: 10, publisher: null, setsStock: false },
    dryRun: false,
    skipRefused: false,
  };

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "many-books-"));
    await copyPreparedFolder(dataDir);
    owner = await connectAsOwner({ DATA_DIR: dataDir, SHOP_DEMO: "0" });
    const secrets = await readSecrets(dataDir);
    visitor = createAnonymousBackend("http://shop.example", secrets?.publishableKey ?? "", (input, init) =>
      fetchOverSocket(dataDir, new Request(input, init)),
    );
    list = join(dataDir, "books.csv");
    const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
    const lines = listed.map((book) => [book.isbn, book.title, book.authors].map(quote).join(","));
    await writeFile(list, ["isbn,title,authors", ...lines].join("\n"));
  });
  afterAll(async () => {
    await owner?.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it("imports them all, and recognises those with an ISBN the next time", async () => {
    expect(listed.length).toBeGreaterThanOrEqual(inGateOrLong(1_000, 10_000));
    const first = await importBookFile(owner.client, list, options, silent);
    expect(first).toMatchObject({ added: listed.length, updated: 0, unchanged: 0, refused: 0 });
    expect(await count("")).toBe(listed.length);

    const plan = await importBookFile(owner.client, list, { ...options, dryRun: true }, silent);
    const withoutIsbn = listed.filter((book) => book.isbn === "").length;
    expect(plan).toMatchObject({
      added: withoutIsbn,
      updated: 0,
      unchanged: listed.length - withoutIsbn,
      refused: 0,
    });
  });

  it("gives all of them the default price and stock, and no ISBN to those that had none", async () => {
    const books = () => owner.client.from("books").select("id", { count: "exact", head: true });
    expect((await books().eq("price", 50).eq("stock_quantity", 10)).count).toBe(listed.length);
    expect((await books().is("isbn", null)).count).toBe(listed.filter((book) => book.isbn === "").length);
  });

  it("exports all of them so that importing the file changes nothing, whatever their text", {
    timeout: 240_000,
  }, async () => {
    const hostile = [
      { title: "=1+1", description: "- a list\n- of two; =cmd|x", isbn: "12-03-26" },
      { title: "''=1", publisher: "N/A", subject: "#REF!", isbn: "9.78E+12" },
      { title: "\u00a0&amp; \u200b", publisher: "collins", description: "\u00a0+ \u0085\u2028 end\u00a0" },
      {
        title: '"Quoted", and; more',
        authors: 'Ama "Kofi" Ata, Jr; Ɛsi Ébène;\n=O\'Neill',
        publisher: "Collins ",
        isbn: "978-0-306-40615-8",
        description: '"\n"\n;"',
      },
      { title: "Twin", isbn: "9780306406157", price: 7 },
      { title: "Twin", isbn: "0-306-40615-2", price: 8 },
      { title: "007", isbn: "0012", edition: "01/02", age_range: "9-11", shelf: "'1E5", course: "True" },
      { title: "None", isbn: "None", course: "-", description: "x".repeat(9_000) + "\n=".repeat(500) },
    ].map((book) => ({ price: 5, ...book }));
    const { data: ids } = await owner.client
      .from("books")
      .insert(hostile.map(({ ...book }) => book))
      .select("id")
      .throwOnError();
    const file = csvFile(bookExport.table.headings);
    const rows = await collectRows(bookExport.source(owner.client, { q: "", filter: "" }), bookExport.table, {
      file,
      signal: new AbortController().signal,
      onProgress: () => {},
    });
    expect(rows).toBe(listed.length + hostile.length);
    const path = join(dataDir, "export.csv");
    await writeFile(path, await textOf(file));
    const plan = await importBookFile(owner.client, path, { ...options, dryRun: true }, silent);
    expect(plan).toMatchObject({
      added: 0,
      updated: 0,
      unchanged: listed.length + hostile.length,
      refused: 0,
    });
    await owner.client
      .from("books")
      .delete()
      .in(
        "id",
        ids.map(({ id }) => id),
      )
      .throwOnError();
  });

  /** As people compare: without case, accents and typographic quotes. */
  const fold = (text: string) =>
    text.normalize("NFD").replace(/\p{M}/gu, "").replace(/[‘’]/g, "'").replace(/[“”]/g, '"').toLowerCase();

  const search = (q: string) => readCatalogueQuery(new URLSearchParams({ q }));
  const count = async (q: string) =>
    (await findCataloguePage(visitor, search(q), { pageSize: 0, total: true })).total;

  async function find(q: string): Promise<{ titles: string[]; count: number | null }> {
    const [books, found] = await Promise.all([listCatalogueBooks(visitor, search(q), 1000), count(q)]);
    return { titles: books.map((book) => book.title).sort(), count: found };
  }

  it.each([
    "10% Happier",
    "O'Brien",
    "(The Hunger Games, #1)",
    '"Learned"',
    '"A Child Called "It"',
    "%",
    "_",
    "*",
    "\\",
    "', '",
    "Misérables",
    "MISERABLES",
    "حكايات",
    "a,b",
  ])("finds exactly the books that contain %j", async (q) => {
    const expected = listed.filter(({ title, authors }) => fold(`${title}\n${authors}`).includes(fold(q)));
    const { titles, count } = await find(q);
    expect(titles).toEqual(expected.map((book) => book.title.trim().replace(/\s+/g, " ")).sort());
    expect(count).toBe(expected.length);
  });

  it.each([
    "978-0-439-02348-1",
    "9780439023481",
    "0-439-02348-3",
    "0439023483",
    "439023483",
    "978 0 439 02348 1",
  ])("finds the book with the ISBN %s, however it is written", async (isbn) => {
    expect(await find(isbn)).toEqual({ titles: ["The Hunger Games (The Hunger Games, #1)"], count: 1 });
  });

  it.each([
    ["an emoji", "😀"],
    ["5,000 letters", "x".repeat(5000)],
    ["5,000 percent signs", "%".repeat(5000)],
    ["a sign that turns the direction of writing", "\u202e"],
  ])("finds nothing, without failing, for %s", async (_name, q) => {
    expect(await find(q)).toEqual({ titles: [], count: 0 });
  });

  it("ignores a search for nothing but control characters", async () => {
    expect((await find("\u0000\u0007")).count).toBe(listed.length);
  });

  it("cuts the search text to 200 characters", async () => {
    const [longest] = [...listed].sort((a, b) => b.title.length - a.title.length);
    const title = longest?.title ?? "";
    const long = title.padEnd(200, " ") + "not in any book ".repeat(300);
    expect(search(long).q.length).toBeLessThanOrEqual(200);
    expect((await find(long)).titles).toEqual([title]);
  });

  it("reaches the last book by page number and by key, in one order", async () => {
    const page = (params: Record<string, string>) =>
      listCatalogueBooks(visitor, readCatalogueQuery(new URLSearchParams(params)));
    const last = Math.min(100, Math.floor(listed.length / 24));
    const byNumber = await page({ page: String(last) });
    expect(byNumber).toHaveLength(24);
    const [before] = (await page({ page: String(last - 1) })).slice(-1);
    const query = { ...search(""), after: { title: before?.title ?? "", id: before?.id ?? "" } };
    expect(await listCatalogueBooks(visitor, query)).toEqual(byNumber);
  });
});
