import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { MAX_MATCHED_LINES } from "#app/features/booklists/booklist.ts";
import { countDuring, scansOf } from "#tests/support/count-during.ts";
import type { Person } from "#tests/support/database.ts";
import { addBook } from "#tests/support/database-factories.ts";
import { describeOnOwnServerToo } from "#tests/support/describe-database.ts";
import { refusalOf, visitor } from "#tests/support/people.ts";
import { undoing } from "#tests/support/undoing.ts";

type Match = { line: number; matches: number; books: { id: string; title: string; price: number }[] };

describeOnOwnServerToo("Matching a pasted list with books", (open) => {
  const match = (lines: unknown, person: Person = visitor) =>
    open().as(person, (query) =>
      query<Match>("select * from public.match_book_lines($1::jsonb)", [JSON.stringify(lines)]),
    );
  const titles = async (lines: unknown[]) =>
    (await match(lines)).map(({ books }) => books.map(({ title }) => title));

  test("an ISBN of 10 or 13 digits, with or without hyphens, a shop code or a whole title finds its book", async () => {
    await addBook(open(), { title: "Café Français", isbn: "978-0-306-40615-7", price: 12.5 });
    await addBook(open(), { title: "Chalk", isbn: "STA-0013" });
    for (const text of [
      "9780306406157",
      "978-0-306-40615-7",
      "0-306-40615-2",
      "0306406152",
      "306406152",
      "ISBN 9780306406157",
      "café français",
      "  CAFE   FRANCAIS ",
    ])
      expect([text, await titles([text])]).toEqual([text, [["Café Français"]]]);
    expect(await titles(["sta-0013", { text: "chalk", quantity: 3 }, "Caf", "9780306406158", ""])).toEqual([
      ["Chalk"],
      ["Chalk"],
      [],
      [],
      [],
    ]);
    const [found] = await match(["9780306406157"]);
    expect(found).toMatchObject({ line: 1, matches: 1, books: [{ price: 12.5 }] });
  });

  test("finds the book of one line without reading the whole catalogue", { tags: "long" }, async () => {
    const scans = await undoing(open().transaction, async (query) => {
      await query("alter table public.books disable trigger user");
      await query(
        "insert into public.books (title, price) select 'Reader ' || i, 45 from generate_series(1, 6000) i",
      );
      await query("analyze public.books");
      return countDuring(query, scansOf("books"), async () =>
        expect(await query(`select * from public.match_book_lines('["reader 7"]')`)).toMatchObject([
          { matches: 1 },
        ]),
      );
    });
    expect(scans).toBe(0);
  });

  test("several books are all offered, those in stock first, and at most ten", async () => {
    const title = `Twin ${randomUUID()}`;
    const deleted = await addBook(open(), { title, stock: 0 });
    for (let at = 0; at < 12; at += 1) await addBook(open(), { title });
    const [found] = await match([title]);
    expect(found).toMatchObject({ matches: 13 });
    expect(found?.books).toHaveLength(10);
    expect(found?.books.map(({ id }) => id)).not.toContain(deleted.id);
  });

  test("a code is more exact than a title that reads the same", async () => {
    const code = `X-${randomUUID().slice(0, 8).toUpperCase()}`;
    const byCode = await addBook(open(), { title: "By code", isbn: code });
    await addBook(open(), { title: code });
    expect((await match([code]))[0]?.books.map(({ id }) => id)).toEqual([byCode.id]);
  });

  test("has one row for each of at most 500 lines, in their order, and refuses anything else", async () => {
    const lines = Array.from({ length: MAX_MATCHED_LINES }, (_, at) =>
      at % 2 ? "9780306406157" : `Unknown ${at}`,
    );
    const found = await match(lines);
    expect(found.map(({ line }) => line)).toEqual(lines.map((_, at) => at + 1));
    expect(found.filter(({ matches }) => matches === 1)).toHaveLength(250);
    expect((await refusalOf(match([...lines, "One more"]))).detail).toMatchObject({
      code: "too_many_lines",
      limit: MAX_MATCHED_LINES,
    });
    for (const wrong of ["9780306406157", null, { text: "x" }, 5])
      expect((await refusalOf(match(wrong))).detail).toMatchObject({ code: "invalid_rows" });
    expect(await titles([5, null, ["Chalk"], { isbn: "x" }])).toEqual([[], [], [], []]);
    expect(await match([])).toEqual([]);
  });
});
