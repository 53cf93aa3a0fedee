import { beforeAll, expect, test } from "vitest";
import { convertPrice, ROUNDINGS } from "#app/office/catalogue/book-import/price-conversion.ts";
import { pesewasFromCedis } from "#shared/text/money.ts";
import { addBook, addCustomer, addStaff, order } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";
import { fc } from "#tests/support/properties.ts";

describeDatabase("Changing the prices of many books", (open) => {
  let admin: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
  });

  const asAdmin = (sql: string, values: unknown[] = []) => open().as(admin, (query) => query(sql, values));
  const stage = async (percent: number, roundTo: number, publisher: string | null = null, q = "") => {
    const [row] = await asAdmin("select public.stage_price_change($1, $2, $3, $4) as id", [
      percent,
      roundTo,
      publisher,
      q,
    ]);
    return String(row?.id);
  };
  const apply = (id: string, skipRefused = false) =>
    asAdmin("select * from public.apply_book_import($1, $2)", [id, skipRefused]);
  const pricesOf = async (publisher: string) => {
    const rows = await open().query<{ price: string }>(
      "select price::text from public.books where publisher = $1 order by title",
      [publisher],
    );
    return rows.map(({ price }) => Number(price));
  };
  const addBooks = async (publisher: string, prices: number[]) => {
    const books = [];
    for (const [index, price] of prices.entries())
      books.push(await addBook(open(), { title: `${index} of ${publisher}`, publisher, price, stock: 3 }));
    return books;
  };

  test.each([
    [5, 0.5, [10, 45.5, 0.2, 0, 99_999_999.99], [10.5, 48, 0.5, 0, 99_999_999.99]],
    [-10, 0.01, [10, 0.01, 33.33], [9, 0.01, 30]],
    [12.5, 1, [100, 3.5], [113, 4]],
  ])("%s %% rounded to %s cedis", async (percent, roundTo, before, after) => {
    const publisher = `House ${percent}`;
    await addBooks(publisher, before);
    await apply(await stage(percent, roundTo, publisher));
    expect(await pricesOf(publisher)).toEqual(after);
  });

  test("comes to the same in cedis as the page shows before the rows are sent", async () => {
    const roundings = ROUNDINGS.map((one) => pesewasFromCedis(Number(one)));
    const cases = fc.sample(
      fc.tuple(
        fc.integer({ min: 0, max: 99_999_999 }),
        fc.integer({ min: 1, max: 200_000_000 }),
        fc.integer({ min: -9_000, max: 90_000 }),
        fc.constantFrom(...roundings),
      ),
      500,
    );
    const rows = await open().query<{ price: number | null }>(
      `select (private.converted_price(c.a / 100.0, c.r / 1000000.0, c.p / 100.0, c.m / 100.0) * 100)::float8 as price
         from unnest($1::numeric[], $2::numeric[], $3::numeric[], $4::numeric[]) with ordinality as c (a, r, p, m, n) order by n`,
      [0, 1, 2, 3].map((part) => cases.map((one) => one[part])),
    );
    const shown = cases.map(([amount, rate, percent, roundTo]) =>
      convertPrice(
        { amount, currency: "GBP" },
        { rates: { GBP: rate / 1_000_000 }, percent: percent / 100, roundTo },
      ),
    );
    expect(rows.map(({ price }) => price)).toEqual(shown);
  });

  test("shows old and new prices first, is logged as one row, and is undone as a whole", async () => {
    await addBooks("Adwinsa", [10, 20]);
    await addBooks("Another", [10]);
    const id = await stage(10, 0.1, "Adwinsa");
    const plan = await asAdmin(
      "select action, (before ->> 'price')::float as before, (after ->> 'price')::float as after from public.preview_book_import($1)",
      [id],
    );
    expect(plan).toEqual([
      { action: "update", before: 10, after: 11 },
      { action: "update", before: 20, after: 22 },
    ]);
    expect(await pricesOf("Adwinsa")).toEqual([10, 20]);
    await apply(id);
    expect(await pricesOf("Adwinsa")).toEqual([11, 22]);
    expect(await pricesOf("Another")).toEqual([10]);
    const [logged] = await open().query(
      "select action, after ->> 'file_name' as name from public.audit_log where row_id = $1",
      [id],
    );
    expect(logged).toEqual({ action: "import", name: "Prices +10%, rounded to 0.10, Adwinsa" });
    await asAdmin("select public.undo_book_import($1)", [id]);
    expect(await pricesOf("Adwinsa")).toEqual([10, 20]);
  });

  test("a price changed since or a deleted book is refused, and the others can still be applied", async () => {
    const books = await addBooks("Bright", [10, 20, 30]);
    const id = await stage(10, 0.1, "Bright");
    await asAdmin("update public.books set price = 15 where id = $1", [books[0]?.id]);
    await asAdmin("delete from public.books where id = $1", [books[1]?.id]);
    expect(await refusalOf(apply(id))).toMatchObject({ detail: { code: "import_has_problems", refused: 2 } });
    expect(await pricesOf("Bright")).toEqual([15, 30]);
    await apply(id, true);
    expect(await pricesOf("Bright")).toEqual([15, 33]);
  });

  test("of two changes to the same books only the first is applied", async () => {
    await addBooks("Twice", [10, 20]);
    const ids = [await stage(10, 0.1, "Twice"), await stage(10, 0.1, "Twice")];
    const outcomes = await Promise.allSettled(ids.map((id) => apply(id)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await pricesOf("Twice")).toEqual([11, 22]);
  });

  test("orders placed in the meantime keep their price and their copies", async () => {
    const [book] = await addBooks("Sold", [10]);
    const id = await stage(10, 0.1, "Sold");
    const customer = await addCustomer(open());
    if (book) await order(open(), customer, [[book, 2]]);
    await apply(id);
    const [after] = await open().query(
      "select b.price::float, b.stock_quantity, i.price::float as sold from public.books b join public.order_items i on i.book_id = b.id where b.id = $1",
      [book?.id],
    );
    expect(after).toEqual({ price: 11, stock_quantity: 1, sold: 10 });
  });

  test.each([
    [0, 0.5, "invalid_field"],
    [-91, 0.5, "invalid_field"],
    [901, 0.5, "invalid_field"],
    [5, 0.3, "invalid_field"],
    [5, 0, "invalid_field"],
  ])("a change of %s percent rounded to %s is refused", async (percent, roundTo, code) => {
    expect((await refusalOf(stage(percent, roundTo))).detail).toMatchObject({ code });
    expect((await refusalOf(stage(5, 1, "Nobody's books"))).detail).toMatchObject({ code: "no_books" });
  });
});
