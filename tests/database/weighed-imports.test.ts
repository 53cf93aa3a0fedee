import { beforeAll, beforeEach, expect, test } from "vitest";
import type { Row } from "#tests/support/database.ts";
import { addBook, addCustomer, addStaff } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import type { SignedIn } from "#tests/support/people.ts";

type Oddity = { kind: string; count: number; level: string | null; examples: Row[] };
type Figures = Record<"price_ratios" | "price_amounts" | "stock_moves", Row[]> & {
  sums: Record<string, number>;
  oddities: Oddity[];
};

describeDatabase("Weighing an import", (open) => {
  let admin: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
  });
  beforeEach(async () => {
    await open().run("delete from public.book_imports; delete from public.books");
  });

  const call = (name: string, parameters: unknown[], person = admin) =>
    open().as(person, (query) =>
      query(`select * from public.${name}(${parameters.map((_, i) => `$${i + 1}`).join(", ")})`, parameters),
    );
  const stage = async (rows: Row[]) => {
    const [created] = await call("create_book_import", ["books.csv", 50, 3, null, null, null, true]);
    const id = String(created?.create_book_import);
    await call("stage_book_import_rows", [id, rows.map((row, at) => ({ line: at + 2, ...row }))]);
    return id;
  };
  const figuresOf = async (id: string, person = admin) =>
    (await call("summarise_book_import", [id], person))[0]?.figures as Figures;
  const odd = ({ oddities }: Figures, level = "all") =>
    Object.fromEntries(
      oddities
        .filter((one) => (level === "all" ? one.level !== null : one.level === level))
        .map(({ kind, examples }) => [kind, examples.map(({ line }) => line)]),
    );
  const title = (number: number) => `Reader ${number}`;
  /** Known books, each at its number's price with its number's copies. */
  const addBooks = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, at) =>
        addBook(open(), { title: title(at + 1), isbn: `W-${at + 1}`, price: at + 1, stock: at + 1 }),
      ),
    );
  const row = (number: number, more: Row = {}) => ({ isbn: `W-${number}`, title: title(number), ...more });

  test("sums up prices and copies before and after, and finds the ten largest moves", async () => {
    await addBooks(14);
    const id = await stage([
      ...Array.from({ length: 12 }, (_, at) => row(at + 1, { price: at + 1.5, stock_quantity: 2 })),
      row(13, { price: 10 }),
      row(14, { price: 14 }),
      { title: "New", price: 8, stock_quantity: 5 },
      { title: "", price: 1_000 },
    ]);
    const { sums, price_ratios, price_amounts, stock_moves } = await figuresOf(id);
    expect(sums).toMatchObject({
      ...{ rise: 12, fall: 1, stay: 1, price_before: 91, price_after: 94, known: 14, priced: 14 },
      ...{ more: 1, fewer: 10, copies_before: 76, copies_after: 22, new_copies: 5 },
    });
    expect(price_ratios.map(({ title }) => title)).toEqual([1, 13, 2, 3, 4, 5, 6, 7, 8, 9].map(title));
    expect(price_ratios[0]).toEqual({
      ...{ line: 2, title: "Reader 1", old_price: 1, price: 1.5, old_stock: 1, stock: 2 },
    });
    expect(price_amounts.map(({ line }) => line)).toEqual([14, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(stock_moves.map(({ line }) => line)).toEqual([13, 12, 11, 10, 9, 8, 7, 6, 5, 2]);
  });

  test("has the same figures range by range as at once", async () => {
    await addBooks(30);
    const id = await stage([
      ...Array.from({ length: 30 }, (_, at) => row(at + 1, { price: at % 7, stock_quantity: at % 5 })),
      ...Array.from({ length: 30 }, (_, at) => ({
        title: `New ${at}`,
        price: at,
        publisher: `P ${at % 12}`,
      })),
      { title: "", price: 5 },
    ]);
    const whole = await figuresOf(id);
    expect(whole.oddities.length).toBeGreaterThan(4);
    let soFar: unknown = null;
    for (let after = 0; after < 70; after += 9)
      soFar = (await call("summarise_book_import", [id, after, after + 9, soFar]))[0]?.figures;
    expect(soFar).toEqual(whole);
  });

  test("points out prices that moved by ten, doubled, fell by half or are 0, and only the first must be confirmed", async () => {
    await addBooks(9);
    const id = await stage([
      row(4, { price: 40 }),
      row(5, { price: 0.5 }),
      row(6, { price: 13 }),
      row(7, { price: 3 }),
      row(8, { price: 0 }),
      row(9, { price: 18 }),
      row(3, { price: 300 }),
    ]);
    const figures = await figuresOf(id);
    expect(odd(figures)).toMatchObject({ tenfold: [2, 3, 8], doubled: [4, 5], free: [6] });
    expect(Object.keys(odd(figures, "grave"))).toEqual(["tenfold"]);
    expect(figures.oddities.find(({ kind }) => kind === "tenfold")).toMatchObject({
      count: 3,
      examples: [{ title: "Reader 4", old_price: 4, price: 40 }, {}, {}],
    });
    const filtered = await call("preview_book_import", [id, null, 0, 2, null, "tenfold"]);
    expect(filtered).toMatchObject([{ line: 2 }, { line: 3 }]);
    expect(await call("preview_book_import", [id, null, 3, 2, null, "tenfold"])).toMatchObject([{ line: 8 }]);
  });

  test("points out new books far from what others in the list cost, but no default price", async () => {
    const id = await stage([
      ...Array.from({ length: 24 }, (_, at) => ({ title: `New ${at}`, price: 30 + at })),
      { title: "Too dear", price: 4_500 },
      { title: "Too cheap", price: 0.45 },
      { title: "A set", price: 400 },
      { title: "By default" },
    ]);
    expect(odd(await figuresOf(id))).toEqual({ far_price: [26, 27] });
  });

  test("has the same price in nearly all rows confirmed, unless it is the default or is there already", async () => {
    const rows = (price: number | null) =>
      Array.from({ length: 21 }, (_, at) => ({ title: `New ${at}`, price }));
    expect(odd(await figuresOf(await stage([...rows(26), { title: "Other", price: 30 }])), "grave")).toEqual({
      same_price: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    });
    expect(odd(await figuresOf(await stage(rows(null))))).toEqual({});
    expect(
      odd(await figuresOf(await stage([...rows(26).slice(3), { title: "Other", price: 30 }])), "grave"),
    ).toEqual({});
  });

  test("has titles that slipped by a row confirmed, where many did", async () => {
    await addBooks(12);
    const slipped = (count: number) =>
      Array.from({ length: 10 }, (_, at) => row(at + 1, at < count ? { title: title(at + 2) } : {}));
    expect(odd(await figuresOf(await stage(slipped(9))), "grave")).toEqual({
      other_title: [2, 3, 4, 5, 6, 7, 8, 9, 10],
    });
    expect(odd(await figuresOf(await stage(slipped(2))), "odd")).toEqual({ other_title: [2, 3] });
    const renamed = [row(1, { title: "Reader 1, second edition" }), row(2, { title: "Lecture deux" })];
    expect(odd(await figuresOf(await stage(renamed)))).toEqual({ other_title: [3] });
  });

  test("points out publishers that the shop has never had, once it has any", async () => {
    const rows = [
      { title: "A", publisher: "Colins" },
      { title: "B", publisher: "Colins" },
      { title: "C", publisher: "Collins" },
    ];
    expect(odd(await figuresOf(await stage(rows)))).toEqual({});
    await addBook(open(), { title: "Known", publisher: "Collins" });
    const { oddities } = await figuresOf(await stage(rows));
    expect(oddities).toMatchObject([
      { kind: "new_publisher", count: 2, examples: [{ publisher: "Colins" }] },
    ]);
  });

  test("points out stocks that fall to 0 where many do", async () => {
    await addBooks(8);
    const emptied = (count: number) =>
      Array.from({ length: 8 }, (_, at) =>
        row(at + 1, { price: at + 1, stock_quantity: at < count ? 0 : 9 }),
      );
    expect(odd(await figuresOf(await stage(emptied(5))), "odd")).toEqual({ sold_out: [2, 3, 4, 5, 6] });
    expect(odd(await figuresOf(await stage(emptied(4))), "odd")).toEqual({});
  });

  test("points out titles that go off sale where many do, and has them confirmed where that is half of the list", async () => {
    await addBooks(60);
    const list = (states: string[], all = 60) =>
      Array.from({ length: all }, (_, at) =>
        row(at + 1, states[at] ? { sale_state: states[at] } : { price: 9 }),
      );
    const off = (count: number) =>
      Array.from({ length: count }, (_, at) => (at % 2 ? "last_copies" : "not_for_sale"));
    const firstTen = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
    const levels = async (rows: Row[]) => {
      const figures = await figuresOf(await stage(rows));
      return { odd: odd(figures, "odd").off_sale, grave: odd(figures, "grave").off_sale };
    };
    expect(await levels(list(off(19)))).toEqual({});
    expect(await levels(list(off(20)))).toEqual({ odd: firstTen });
    expect(await levels(list(off(30)))).toEqual({ grave: firstTen });
    expect(await levels(list(Array(30).fill("coming_soon")))).toEqual({});
    // Fewer copies to come is worse, and back on sale isn't.
    await open().run("update public.books set sale_state = 'last_copies'");
    expect(await levels(list(Array(30).fill("last_copies")))).toEqual({});
    expect(await levels(list(Array(20).fill("not_for_sale")))).toEqual({ odd: firstTen });
    await open().run("update public.books set sale_state = 'not_for_sale'");
    expect(await levels(list(Array(30).fill("last_copies")))).toEqual({});
  });

  test("points out prices below cost to those with the duty reports alone", async () => {
    const [book] = await addBooks(1);
    await open().query("insert into private.book_costs (book_id, since, average) values ($1, now(), 0.9)", [
      book?.id,
    ]);
    const id = await stage([row(1, { price: 0.8 })]);
    expect(odd(await figuresOf(id))).toEqual({ below_cost: [2] });
    const clerk = await addCustomer(open());
    await open().query("insert into public.staff_duties (user_id, duty) values ($1, 'catalogue')", [
      clerk.id,
    ]);
    expect(odd(await figuresOf(id, clerk))).toEqual({});
  });
});
