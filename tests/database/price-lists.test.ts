import { beforeAll, expect, test } from "vitest";
import type { Row } from "#tests/support/database.ts";
import { addStaff } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";

describeDatabase("Importing prices of another currency", (open) => {
  let admin: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
  });
  const create = (conversion: unknown, source = "Collins") =>
    open().as(admin, async (query) => {
      const [created] = await query(
        "select public.create_book_import(_file_name => 'books.csv', _source => $1, _conversion => $2) as id",
        [source, conversion],
      );
      return String(created?.id);
    });
  const call = (sql: string, parameters: unknown[]): Promise<Row[]> =>
    open().as(admin, (query) => query(sql, parameters));
  const good = { rates: { GBP: 15.8, "¥": 0.08 }, percent: 12.5, round_to: 0.5 };

  test("keeps the rates, what is added and the rounding with the import, and the list's own price with each row", async () => {
    const id = await create(good, "  Collins   UK ");
    expect(await call("select source, conversion from public.book_imports where id = $1", [id])).toEqual([
      { source: "Collins UK", conversion: good },
    ]);
    const rows = [
      { line: 2, title: "Atlas", isbn: "PL-1", price: 230, source_price: 12.99, source_currency: "GBP" },
      { line: 3, title: "Globe", isbn: "PL-2", price: 45 },
    ];
    await call("select public.stage_book_import_rows($1, $2)", [id, rows]);
    const listed =
      "select line, source_price::float8 as price, source_currency as currency from public.preview_book_import($1)";
    const expected = [
      { line: 2, price: 12.99, currency: "GBP" },
      { line: 3, price: null, currency: null },
    ];
    expect(await call(listed, [id])).toEqual(expected);
    await call("select public.stage_book_import_rows($1, $2)", [
      id,
      [{ line: 2, title: "Atlas", price: 230, isbn: "PL-1" }],
    ]);
    expect(await call(listed, [id])).toEqual([{ line: 2, price: null, currency: null }, expected[1]]);
  });

  test.each([
    ["no price", "cheap", "GBP"],
    ["less than nothing", -1, "GBP"],
    ["no currency", 12.99, null],
    ["a word for a currency", 12.99, "pounds"],
  ])("keeps nothing of a row's own price that is %s", async (_, source_price, source_currency) => {
    const id = await create(good);
    const row = { line: 2, title: "Atlas", isbn: "PL-3", price: 230, source_price, source_currency };
    await call("select public.stage_book_import_rows($1, $2)", [id, [row]]);
    const kept = "select source_price, source_currency from public.book_import_rows where import_id = $1";
    expect(await call(kept, [id])).toEqual([{ source_price: null, source_currency: null }]);
  });

  test("leaves out lines that are not books without a leave, counts and lists them apart from rows with problems, and keeps their cells", async () => {
    const lines = [
      { line: 2, title: "A book", isbn: "PL-20", price: 5 },
      { line: 3, problems: ["This is a sum, not a book."], not_a_book: true, cells: ["Total", "5"] },
    ];
    const bad = { line: 4, title: "Another", isbn: "PL-21", price: "cheap", cells: ["cheap"] };
    const [id, refused] = [await create(null), await create(null)];
    await call("select public.stage_book_import_rows($1, $2)", [id, lines]);
    await call("select public.stage_book_import_rows($1, $2)", [refused, [...lines, bad]]);
    const counted = "select added::int, refused::int, not_books::int from public.summarise_book_import($1)";
    expect(await call(counted, [refused])).toEqual([{ added: 1, refused: 1, not_books: 1 }]);
    expect(await refusalOf(call("select public.apply_book_import($1)", [refused]))).toMatchObject({
      code: "PT409",
      message: "1 rows have problems. Nothing was imported.",
    });
    const left = { line: 3, problems: ["This is a sum, not a book."], cells: ["Total", "5"] };
    const shown = "select line, action, cells from public.preview_book_import($1, $2)";
    expect(await call(shown, [refused, "not_a_book"])).toEqual([
      { line: 3, action: "not_a_book", cells: left.cells },
    ]);
    expect(await call(shown, [refused, "refused"])).toEqual([
      { line: 4, action: "refused", cells: ["cheap"] },
    ]);
    const listed = "select line, problems, cells from public.list_rows_left_out($1, _not_books => $2)";
    expect(await call(listed, [refused, true])).toEqual([left]);
    expect(await call(listed, [refused, false])).toMatchObject([{ line: 4, cells: ["cheap"] }]);
    await call("select public.apply_book_import($1)", [id]);
    await call("select public.apply_book_import($1, true)", [refused]);
    const applied = "select refused, not_books from public.book_imports where id = $1";
    expect(await call(applied, [id])).toEqual([{ refused: 0, not_books: 1 }]);
    expect(await call(applied, [refused])).toEqual([{ refused: 1, not_books: 1 }]);
    expect(await call(listed, [id, true])).toEqual([left]);
    expect(await call(listed, [id, false])).toEqual([]);
  });

  test.each([
    ["without rates", { ...good, rates: {} }],
    ["with rates that are a list", { ...good, rates: [15.8] }],
    ["with a rate of 0", { ...good, rates: { GBP: 0 } }],
    ["with a rate in words", { ...good, rates: { GBP: "15.80" } }],
    ["with a word for a currency", { ...good, rates: { pounds: 15.8 } }],
    ["without a percentage", { ...good, percent: null }],
    ["with too high a percentage", { ...good, percent: 901 }],
    ["without a rounding", { rates: good.rates, percent: 0 }],
    ["with another rounding", { ...good, round_to: 0.3 }],
  ])("refuses a conversion %s", async (_, conversion) => {
    expect(await refusalOf(create(conversion))).toMatchObject({ code: "PT400" });
  });
});
