import { randomUUID as uuid } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import {
  addBook,
  addCustomer,
  addStaff,
  movementsOf,
  order,
  stockOf,
  type TestBook,
} from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";

describeDatabase("A count of the stock", (open) => {
  let ama: SignedIn;
  let kofi: SignedIn;
  let customer: SignedIn;
  beforeAll(async () => {
    [ama, kofi] = [await addStaff(open(), "admin"), await addStaff(open(), "admin")];
    customer = await addCustomer(open());
  });

  const as = (person: SignedIn, sql: string, values: unknown[] = []) =>
    open().as(person, (query) => query(sql, values));
  const begin = async (scope: string, value: string | null, codes: string[] | null = null, id = uuid()) => {
    await as(ama, "select public.begin_stock_count($1, 'A count', $2, $3, $4)", [id, scope, value, codes]);
    return id;
  };
  /** A count of new books of a publisher of their own, which have these copies in stock. */
  const beginWith = async (...stocks: number[]) => {
    const publisher = `House ${uuid()}`;
    const books: TestBook[] = [];
    for (const stock of stocks) books.push(await addBook(open(), { publisher, stock, price: 10 }));
    return { id: await begin("publisher", publisher), books, book: books[0] as TestBook };
  };
  const scan = (
    person: SignedIn,
    count: string,
    book: { id: string },
    copies: number | null = null,
    id = uuid(),
  ) =>
    as(person, "select public.scan_stock($1, $2, _book_id => $3, _copies => $4)", [
      id,
      count,
      book.id,
      copies,
    ]);
  const scanCode = (count: string, code: string) =>
    as(ama, "select public.scan_stock($1, $2, $3) as id", [uuid(), count, code]).then(([row]) => row?.id);
  const recount = (count: string, book: { id: string } | null = null, round: number | null = null) =>
    as(ama, "select public.recount_stock($1, $2, $3) as n", [count, book?.id ?? null, round]).then(
      ([row]) => row?.n,
    );
  const noneFound = (count: string, book: { id: string } | null = null) =>
    as(ama, "select public.mark_none_found($1, $2) as n", [count, book?.id ?? null]).then(([row]) => row?.n);
  const apply = (count: string, differences: number, person = ama) =>
    as(person, "select public.book_stock_count($1, $2) as n", [count, differences]).then(([row]) => row?.n);
  const lineOf = async (count: string, book: { id: string }, person = ama) => {
    const [row] = await as(
      person,
      "select counted, expected, difference, moved, again, own, round, in_scope from public.list_stock_count_books($1, _book_id => $2)",
      [count, book.id],
    );
    return row;
  };
  const session = async (count: string) =>
    (await as(ama, "select * from public.list_stock_counts($1)", [count]))[0];

  test("each scan adds a copy, a typed number sets what this person has counted, and everyone's copies add up", async () => {
    const { id, book } = await beginWith(10);
    await scan(ama, id, book);
    await scan(ama, id, book);
    await scan(kofi, id, book, 5);
    expect(await lineOf(id, book)).toMatchObject({ counted: 7, expected: 10, difference: -3, own: 2 });
    await scan(ama, id, book, 6);
    await scan(kofi, id, book);
    expect(await lineOf(id, book, kofi)).toMatchObject({ counted: 12, difference: 2, own: 6 });
    await scan(kofi, id, book, 0);
    expect(await lineOf(id, book, kofi)).toMatchObject({ counted: 6, own: 0 });
    expect(await stockOf(open(), book)).toBe(10);
  });

  test("a repeated scan counts once, even simultaneously or after a recount", async () => {
    const { id, book } = await beginWith(10);
    const scanId = uuid();
    await Promise.all(Array.from({ length: 6 }, () => scan(ama, id, book, null, scanId)));
    expect(await lineOf(id, book)).toMatchObject({ counted: 1 });
    expect(await recount(id, book, 1)).toBe(1);
    await scan(ama, id, book, null, scanId);
    expect(await lineOf(id, book)).toMatchObject({ counted: null, round: 2 });
  });

  test("copies sold after the count stay sold, and the difference is the one at the time of the scan", async () => {
    const { id, book } = await beginWith(10);
    await scan(ama, id, book, 8);
    await order(open(), customer, [[book, 3]]);
    expect(await lineOf(id, book)).toMatchObject({ counted: 8, expected: 10, difference: -2 });
    expect(await apply(id, 1)).toBe(1);
    expect(await stockOf(open(), book)).toBe(5);
    expect(await movementsOf(open(), book)).toEqual(["-3 order", "-2 count"]);
    const [row] = await as(ama, "select note, by_name from public.list_stock_movements($1)", [book.id]);
    expect(row?.note).toMatch(/^Count of A count, \d{1,2} [A-Z][a-z]{2}$/);
    expect(row?.by_name).toBe("A admin");
  });

  test("a copy sold between two scans makes no difference, whether it was counted before or not", async () => {
    const { id, books } = await beginWith(10, 10, 10, 10);
    const [countedBefore, notYet, missing, found] = books as [TestBook, TestBook, TestBook, TestBook];
    for (const book of books) await scan(ama, id, book, 4);
    for (const book of books) await order(open(), customer, [[book, 1]]);
    // Sold from the four copies, from the six that Kofi counts, and with two copies really missing or too many.
    await scan(kofi, id, countedBefore, 6);
    await scan(kofi, id, notYet, 5);
    await scan(kofi, id, missing, 3);
    await scan(kofi, id, found, 8);
    expect(await lineOf(id, countedBefore)).toMatchObject({ counted: 10, difference: 0, moved: 1 });
    expect(await lineOf(id, notYet)).toMatchObject({ counted: 9, difference: 0 });
    expect(await lineOf(id, missing)).toMatchObject({ counted: 7, expected: 9, difference: -2 });
    expect(await lineOf(id, found)).toMatchObject({ counted: 12, expected: 10, difference: 2 });
    await apply(id, 2);
    expect(await Promise.all(books.map((book) => stockOf(open(), book)))).toEqual([9, 9, 7, 11]);
  });

  test("a copy returned between two scans makes no difference either", async () => {
    const { id, book } = await beginWith(10);
    const sold = await order(open(), customer, [[book, 2]]);
    await scan(ama, id, book, 3);
    await as(ama, "update public.orders set status = 'cancelled' where id = $1", [sold]);
    await scan(kofi, id, book, 6);
    expect(await lineOf(id, book)).toMatchObject({ counted: 9, expected: 9, difference: 0, moved: 2 });
    await apply(id, 0);
    expect(await stockOf(open(), book)).toBe(10);
  });

  test("the scope is a publisher's books, shelf places by their beginning, or pasted codes; lines without a book are named", async () => {
    const shelf = `Q${uuid().slice(0, 6)}`;
    const here = [
      await addBook(open(), { shelf: `${shelf}-1` }),
      await addBook(open(), { shelf: `${shelf}-20` }),
    ];
    await addBook(open(), { shelf: `X${shelf}` });
    const byShelf = await begin("shelf", shelf.toLowerCase());
    expect(await session(byShelf)).toMatchObject({ books: 2, counted: 0, scope_value: shelf.toLowerCase() });
    await addBook(open(), { isbn: "0-19-853453-1" });
    const codes = ["978 0 19 853453 2", "  ", "ZZ-nothing", "0198534531"];
    expect(await session(await begin("books", null, codes))).toMatchObject({
      books: 1,
      unknown_codes: ["ZZ-nothing"],
      scope_value: null,
    });
    const again = uuid();
    for (const _ of [1, 2]) await begin("shelf", shelf, null, again);
    expect(await session(again)).toMatchObject({ books: here.length });
    for (const [scope, value, code] of [
      ["publisher", "Nobody's books", "no_books"],
      ["shelf", "%", "no_books"],
      ["shelf", " ", "invalid_field"],
      ["books", null, "no_books"],
      ["shop", "x", "invalid_field"],
    ] as const)
      expect((await refusalOf(begin(scope, value))).detail).toMatchObject({ code });
    expect((await refusalOf(begin("books", null, Array(10_001).fill("x")))).detail).toMatchObject({
      code: "too_many_lines",
    });
  });

  test("a code finds its book in any spelling; a book outside the scope is marked; an unknown or doubtful code is refused by name", async () => {
    const { id } = await beginWith(3);
    const outside = await addBook(open(), { isbn: "978-0-14-044793-4", title: "From another shelf" });
    expect(await scanCode(id, "0140447938")).toBe(outside.id);
    expect(await lineOf(id, outside)).toMatchObject({ counted: 1, in_scope: false });
    expect(await session(id)).toMatchObject({ books: 1, counted: 0, outside: 1 });
    expect(await refusalOf(scanCode(id, "<script>"))).toMatchObject({
      message: "No book has the ISBN or code <script>.",
      detail: { code: "book_not_found" },
    });
    const publisher = `House ${uuid()}`;
    const twin = await addBook(open(), { isbn: "TWIN-7", publisher });
    await addBook(open(), { isbn: "twin 7" });
    expect((await refusalOf(scanCode(id, "twin-7"))).detail).toMatchObject({ code: "several_books" });
    expect(await scanCode(await begin("publisher", publisher), "twin-7")).toBe(twin.id);
    expect((await refusalOf(scan(ama, id, outside, -1))).detail).toMatchObject({ code: "invalid_field" });
    expect((await refusalOf(scan(ama, uuid(), outside))).detail).toMatchObject({ code: "count_not_found" });
  });

  test("books that no one scanned stay as they are, or are marked as none found, one or all", async () => {
    const { id, books } = await beginWith(4, 3, 2, 1);
    const [first, second, third] = books as [TestBook, TestBook, TestBook];
    await scan(ama, id, first, 4);
    expect(await noneFound(id, second)).toBe(1);
    expect(await noneFound(id, second)).toBe(0);
    // To be counted again: not marked with the others.
    await scan(ama, id, third, 1);
    await recount(id, third, 1);
    expect(await noneFound(id)).toBe(1);
    expect(await session(id)).toMatchObject({ counted: 3, differences: 2, fewer: 4, more: 0, again: 1 });
    await scan(kofi, id, third, 2);
    await apply(id, 2);
    expect(await Promise.all(books.map((book) => stockOf(open(), book)))).toEqual([4, 0, 2, 0]);

    const untouched = await beginWith(4);
    await apply(untouched.id, 0);
    expect(await stockOf(open(), untouched.book)).toBe(4);
  });

  test("a difference above the owner's limit is counted a second time before it is booked", async () => {
    const { id, books, book } = await beginWith(20, 20, 20);
    const [, atLimit, moved] = books as [TestBook, TestBook, TestBook];
    await scan(ama, id, book, 14);
    await scan(ama, id, atLimit, 15);
    await scan(ama, id, moved, 10);
    await order(open(), customer, [[moved, 6]]);
    await scan(ama, id, moved);
    expect(await lineOf(id, book)).toMatchObject({ difference: -6, again: true });
    expect(await lineOf(id, atLimit)).toMatchObject({ difference: -5, again: false });
    expect(await lineOf(id, moved)).toMatchObject({ moved: 6, again: true });
    expect(await refusalOf(apply(id, 3))).toMatchObject({
      message: expect.stringContaining(book.title),
      detail: { code: "count_again" },
    });
    expect(await recount(id)).toBe(2);
    expect(await recount(id)).toBe(0);
    expect(await lineOf(id, book)).toMatchObject({ counted: null, round: 2, own: null });
    // Still to be counted again.
    expect((await refusalOf(apply(id, 1))).detail).toMatchObject({ code: "count_again" });
    await scan(kofi, id, book, 13);
    await scan(kofi, id, moved, 14);
    expect(await lineOf(id, book)).toMatchObject({ difference: -7, again: false });
    await apply(id, 2);
    expect(await Promise.all(books.map((one) => stockOf(open(), one)))).toEqual([13, 15, 14]);
    const scans = await open().query(
      "select round, copies from public.stock_scans where book_id = $1 order by created_at",
      [book.id],
    );
    expect(scans).toEqual([
      { round: 1, copies: 14 },
      { round: 2, copies: 13 },
    ]);
  });

  test("the limit is the owner's setting, and 0 has every difference counted again", async () => {
    const { id, book } = await beginWith(20);
    await scan(ama, id, book, 19);
    const set = (limit: number) =>
      open().query(
        "insert into public.shop_settings (id, value) values ('countAgainAbove', to_jsonb($1::int)) on conflict (id) do update set value = excluded.value",
        [limit],
      );
    expect(await lineOf(id, book)).toMatchObject({ again: false });
    await set(0);
    expect(await lineOf(id, book)).toMatchObject({ again: true });
    await set(5);
    expect(await lineOf(id, book)).toMatchObject({ again: false });
  });

  test("two admins who click at once book the differences once, and the session is closed", async () => {
    const { id, book } = await beginWith(10);
    await scan(ama, id, book, 8);
    expect(await Promise.all([apply(id, 1), apply(id, 1, kofi), apply(id, 1)])).toEqual([1, 1, 1]);
    expect(await movementsOf(open(), book)).toEqual(["-2 count"]);
    expect(await stockOf(open(), book)).toBe(8);
    expect(await session(id)).toMatchObject({ status: "booked", by_name: "A admin" });
    for (const late of [() => scan(ama, id, book), () => noneFound(id), () => recount(id, book, 1)])
      expect((await refusalOf(late())).detail).toMatchObject({ code: "count_closed", status: "booked" });
    expect((await refusalOf(as(ama, "select public.discard_stock_count($1)", [id]))).detail).toMatchObject({
      code: "count_closed",
    });
  });

  test("booking is refused without any change if others have counted since, or more copies were sold than counted", async () => {
    const { id, books } = await beginWith(5, 5);
    const [sold, other] = books as [TestBook, TestBook];
    await scan(ama, id, sold, 1);
    await scan(kofi, id, other, 4);
    expect((await refusalOf(apply(id, 1))).detail).toMatchObject({ code: "count_changed", differences: 2 });
    await order(open(), customer, [[sold, 3]]);
    expect(await refusalOf(apply(id, 2))).toMatchObject({
      message: `More copies have been sold since than were counted. Count again: ${sold.title}.`,
      detail: {
        code: "insufficient_stock",
        lines: [{ book_id: sold.id, title: sold.title, requested: 4, left: 2 }],
      },
    });
    expect(await stockOf(open(), other)).toBe(5);
    await recount(id, sold, 1);
    await scan(kofi, id, sold, 2);
    await apply(id, 1);
    expect([await stockOf(open(), sold), await stockOf(open(), other)]).toEqual([2, 4]);
  });

  test("a book deleted in the meantime doesn't block the count and keeps its copies; a discarded count changes no stock", async () => {
    const { id, books, book } = await beginWith(10, 4);
    await scan(ama, id, book, 1);
    await as(ama, "delete from public.books where id = $1", [book.id]);
    expect((await refusalOf(scan(ama, id, book))).detail).toMatchObject({ code: "book_not_found" });
    expect(await session(id)).toMatchObject({ books: 1, differences: 0, again: 0 });
    expect(await apply(id, 0)).toBe(0);
    expect(await movementsOf(open(), book)).toEqual([]);
    const discarded = await beginWith(3);
    await scan(ama, discarded.id, discarded.book, 1);
    for (const _ of [1, 2]) await as(ama, "select public.discard_stock_count($1)", [discarded.id]);
    expect((await refusalOf(apply(discarded.id, 1))).detail).toMatchObject({ code: "count_closed" });
    expect(await stockOf(open(), discarded.book)).toBe(3);
    expect(await stockOf(open(), books[1] as TestBook)).toBe(4);
  });

  test("two people count while 50 orders come in: each book has what was counted minus what was sold after its count", async () => {
    const { id, books } = await beginWith(...Array.from({ length: 12 }, () => 60));
    const buyers = await Promise.all(Array.from({ length: 10 }, () => addCustomer(open())));
    const sell = async (buyer: SignedIn, n: number) => {
      for (let at = 0; at < 5; at += 1)
        await order(open(), buyer, [[books[(n + at * 5) % 12] as TestBook, 1]]);
    };
    // Each counts six books, every one short by its number modulo three against what is in stock just then.
    const counting = async (person: SignedIn, own: TestBook[]) => {
      for (const [n, book] of own.entries())
        await as(
          person,
          "select public.scan_stock($1, $2, _book_id => $3, _copies => (select stock_quantity - $4::int from public.books where id = $3))",
          [uuid(), id, book.id, n % 3],
        );
    };
    await Promise.all([
      ...buyers.map(sell),
      counting(ama, books.slice(0, 6)),
      counting(kofi, books.slice(6)),
    ]);
    const found = (await session(id)) as { differences: number; again: number };
    expect(found.again).toBe(0);
    await Promise.all([apply(id, found.differences), order(open(), customer, [[books[0] as TestBook, 1]])]);
    for (const book of books) {
      const [row] = await open().query<Record<string, number>>(
        `select b.stock_quantity as stock, l.counted, s.stock as seen,
                (select sum(m.quantity)::int from public.stock_movements m where m.book_id = b.id) as moved,
                (select coalesce(-sum(m.quantity), 0)::int from public.stock_movements m where m.book_id = b.id and m.reason = 'order') as sold
           from public.books b join public.stock_count_books l on l.book_id = b.id
           join public.stock_scans s on s.book_id = b.id where b.id = $1`,
        [book.id],
      );
      const { stock = 0, counted = 0, seen = 0, moved = 0, sold = 0 } = row ?? {};
      expect(stock).toBe(60 + moved);
      const soldBefore = 60 - seen;
      expect(stock).toBe(counted - (sold - soldBefore));
    }
    expect(
      await open().query("select count(*)::int as n from public.orders where user_id = any ($1)", [
        buyers.map((buyer) => buyer.id),
      ]),
    ).toEqual([{ n: 50 }]);
  });

  test("simultaneous marking, recounting, scanning and booking never deadlock", async () => {
    const { id, books } = await beginWith(...Array.from({ length: 30 }, () => 20));
    const work = books.flatMap((book, n) => [
      scan(n % 2 ? ama : kofi, id, book, 20 - (n % 9)),
      ...(n % 6 === 0 ? [noneFound(id), recount(id), order(open(), customer, [[book, 1]])] : []),
    ]);
    const outcomes = await Promise.allSettled([...work, apply(id, 0), apply(id, 3, kofi)]);
    const refused = outcomes.flatMap((one) => (one.status === "rejected" ? [String(one.reason.code)] : []));
    expect(refused.filter((code) => !code.startsWith("PT"))).toEqual([]);
    for (const book of books) {
      const moved = (await movementsOf(open(), book)).reduce(
        (sum, text) => sum + Number.parseInt(text, 10),
        0,
      );
      expect(await stockOf(open(), book)).toBe(20 + moved);
    }
  });

  test("a session of 2,000 books is started, listed, marked and booked like any other", {
    tags: "long",
  }, async () => {
    const publisher = `House ${uuid()}`;
    await open().query(
      `insert into public.books (title, price, stock_quantity, publisher, isbn, shelf)
       select 'Volume ' || n, 10, n % 5, $1, 'MANY-' || n, 'M' || n % 40 from generate_series(1, 2000) as n`,
      [publisher],
    );
    const id = await begin("publisher", publisher);
    await scanCode(id, "MANY-1777");
    const latest = await as(
      ama,
      "select * from public.list_stock_count_books($1, _sort => 'scanned_at', _descending => true)",
      [id],
    );
    expect(latest[0]).toMatchObject({ isbn: "MANY-1777" });
    const found = await as(
      ama,
      "select * from public.list_stock_count_books($1, 'uncounted', 'volume 12', _page => 3)",
      [id],
    );
    expect(found.length).toBeGreaterThan(0);
    expect(await noneFound(id)).toBe(1999);
    expect(await session(id)).toMatchObject({ books: 2000, counted: 2000, differences: 1600 });
    await apply(id, 1600);
    const [left] = await open().query(
      "select sum(stock_quantity)::int as n from public.books where publisher = $1",
      [publisher],
    );
    expect(left).toEqual({ n: 1 });
  });
});
