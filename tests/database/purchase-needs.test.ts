import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import type { Need } from "#app/office/stock/purchases/needs/need.admin-queries.ts";
import { type Request, send } from "#tests/support/at-once.ts";
import type { Row } from "#tests/support/database.ts";
import { addBook, addCustomer, addStaff, order, type TestBook } from "#tests/support/database-factories.ts";
import { describeOnOwnServerToo } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";
import { fc } from "#tests/support/properties.ts";
import { addSupplier, beginPurchase, changePurchase, sendPurchase } from "#tests/support/purchases.ts";

const DAY_MS = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const today = dayOf(Date.now());
const plus = (day: string, days: number) => dayOf(Date.parse(day) + days * DAY_MS);
const yearBefore = (day: string) => {
  const date = new Date(day);
  date.setUTCFullYear(date.getUTCFullYear() - 1);
  return dayOf(date.getTime());
};

type Term = { name: string; from: string; to: string };

/** The rules of docs/decisions/0050 over raw rows, one book after the other, as slowly and plainly as they read. */
function recompute(rows: Record<string, Row[]>, terms: Term[], { from, to }: Term) {
  const salesFrom = (first: string) => {
    const before = terms.filter((term) => term.to < first).map((term) => plus(term.to, 1));
    return [plus(first, -60), ...before].sort().at(-1) ?? "";
  };
  const startYear = Number(from.slice(0, 4)) - (Number(from.slice(5, 7)) < 8 ? 1 : 0);
  const same = { from: yearBefore(from), to: yearBefore(to) };
  const shared = (term: { from: string; to: string }) =>
    (Date.parse(term.to < same.to ? term.to : same.to) -
      Date.parse(term.from > same.from ? term.from : same.from)) /
    DAY_MS;
  const [last = same] = terms
    .filter((term) => shared(term) >= 0 && term.to < from)
    .sort((a, b) => shared(b) - shared(a) || (a.from < b.from ? -1 : 1));
  const soldBetween = (bookId: unknown, first: string, end: string) => {
    let copies = 0;
    for (const one of rows.orders ?? []) {
      const day = dayOf(Number(one.placed_ms));
      if (one.status === "cancelled" || day < first || day > end) continue;
      for (const line of rows.order_items ?? [])
        if (line.order_id === one.id && line.sold_book_id === bookId) copies += Number(line.quantity);
    }
    return copies;
  };
  const byId = (table: string, id: unknown) => rows[table]?.find((row) => row.id === id);
  return (rows.books ?? []).map((book) => {
    let listed = 0;
    let unknown = false;
    for (const line of rows.booklist_lines ?? []) {
      const list = byId("booklists", line.booklist_id);
      if (line.book_id !== book.id || list?.status !== "published" || !line.is_required) continue;
      if (list.school_year !== `${startYear}/${startYear + 1}`) continue;
      if (list.pupils === null) unknown = true;
      else listed += Number(list.pupils) * Number(line.copies);
    }
    const until = today < to ? today : to;
    const sold_in_year = soldBetween(book.id, plus(`${startYear}-09-01`, -60), until);
    const sold_in_term = soldBetween(book.id, salesFrom(from), until);
    const sold_last_year = soldBetween(book.id, salesFrom(last.from), last.to);
    const waiting = (rows.stock_alerts ?? []).filter(({ book_id }) => book_id === book.id).length;
    let on_its_way = 0;
    let drafted = 0;
    const purchases: Row[] = [];
    for (const line of rows.purchase_order_lines ?? []) {
      const purchase = byId("purchase_orders", line.purchase_order_id);
      if (!purchase || purchase.status === "cancelled") continue;
      const ofBook = byId("books", line.book_id);
      const open = Math.max(Number(line.copies) - Number(line.received), 0);
      if (line.book_id === book.id && purchase.status === "draft") drafted += open;
      if (line.book_id === book.id && ["sent", "part_received"].includes(String(purchase.status)))
        on_its_way += open;
      if (!byId("suppliers", purchase.supplier_id)?.hidden)
        purchases.push({ ...purchase, book_id: line.book_id, publisher: ofBook?.publisher });
    }
    purchases.sort(
      (a, b) => Number(b.begun_ms) - Number(a.begun_ms) || (String(a.id) < String(b.id) ? -1 : 1),
    );
    const supplier =
      purchases.find(({ book_id }) => book_id === book.id) ??
      purchases.find(({ publisher }) => book.publisher !== null && publisher === book.publisher);
    const needed = Math.max(listed - sold_in_year, sold_last_year - sold_in_term, 0) + waiting;
    const stock = Number(book.stock_quantity);
    return {
      book_id: String(book.id),
      listed,
      sold_in_year,
      sold_last_year,
      sold_in_term,
      waiting,
      stock,
      on_its_way,
      drafted,
      needed,
      proposed: Math.max(needed - stock - on_its_way - drafted, 0),
      supplier_id: supplier ? String(supplier.supplier_id) : null,
      unknown,
    };
  });
}

describeOnOwnServerToo("What a term needs", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  const next = { name: "Next", from: plus(today, 20), to: plus(today, 110) };
  const current = { name: "Current", from: plus(today, -70), to: plus(today, 10) };
  const lastYears = { name: "Last", from: plus(yearBefore(next.from), 9), to: plus(yearBefore(next.to), 4) };
  const terms = [lastYears, current, next];
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    customer = await addCustomer(open());
    await open().query(
      `insert into public.shop_settings (id, value) values ('schoolTerms', $1::jsonb) on conflict (id) do update set value = excluded.value`,
      [JSON.stringify(terms)],
    );
  });

  const needs = (term: Term, filters: Row = {}) =>
    open().as(admin, (query) =>
      query<Need>(
        `select * from public.list_purchase_needs(_from => $1, _to => $2, _supplier => $3, _publisher => $4, _covered => $5)`,
        [term.from, term.to, filters.supplier ?? null, filters.publisher ?? null, filters.covered ?? false],
      ),
    );
  const startYear = Number(next.from.slice(0, 4)) - (Number(next.from.slice(5, 7)) < 8 ? 1 : 0);
  const schoolYear = `${startYear}/${startYear + 1}`;
  const addList = async (book: TestBook, list: Row) => {
    const { status = "published", school_year = schoolYear, copies = 1, is_required = true, ...named } = list;
    const [row] = await open().as(admin, (query) =>
      query<{ id: string }>(
        `select id from public.save_booklist(_school => $1, _class_name => $2, _school_year => $3, _pupils => $4, _lines => $5::jsonb)`,
        [
          named.school ?? "Asante Primary",
          named.class_name ?? "P4",
          school_year,
          named.pupils ?? null,
          JSON.stringify([{ book_id: book.id, copies, is_required }]),
        ],
      ),
    );
    await open().query("update public.booklists set status = $2 where id = $1", [row?.id, status]);
  };
  const sell = async (book: TestBook, copies: number, day: string, status = "delivered") => {
    await open().query("update public.books set stock_quantity = stock_quantity + $2 where id = $1", [
      book.id,
      copies,
    ]);
    const id = await order(open(), customer, [[book, copies]]);
    await open().query("update public.orders set created_at = $2::timestamptz, status = $3 where id = $1", [
      id,
      `${day}T09:00Z`,
      status === "cancelled" ? "pending" : status,
    ]);
    if (status !== "cancelled") return;
    await open().query("update public.orders set status = 'cancelled' where id = $1", [id]);
    await open().query("update public.books set stock_quantity = stock_quantity - $2 where id = $1", [
      book.id,
      copies,
    ]);
  };
  const wait = async (book: TestBook, customers: number) => {
    for (let one = 0; one < customers; one += 1)
      await open().query("insert into public.stock_alerts (user_id, book_id) values ($1, $2)", [
        (await addCustomer(open())).id,
        book.id,
      ]);
  };
  const purchase = async (supplier: string, lines: [TestBook, number][], status = "sent") => {
    const id = await beginPurchase(open(), admin, supplier);
    await changePurchase(
      open(),
      admin,
      id,
      lines.map(([book, copies]) => ({ book_id: book.id, copies, list_price: 12.5, discount: 20 })),
      { version: 1 },
    );
    if (status !== "draft") await sendPurchase(open(), admin, id, 2);
    if (status === "cancelled")
      await open().as(admin, (query) => query("select public.cancel_purchase_order($1, 3)", [id]));
    return id;
  };

  test("is the larger of booklists and last year's sales, plus waiting customers, less stock, copies on their way and drafts", async () => {
    const supplier = await addSupplier(open(), admin);
    const publisher = `Publisher ${randomUUID()}`;
    const book = await addBook(open(), { title: "Maths 4", stock: 30, publisher });
    await addList(book, { pupils: 120 });
    await addList(book, { pupils: null, school: "Hilltop", class_name: "P4" });
    await addList(book, { pupils: 500, is_required: false, school: "Optional", class_name: "P5" });
    await addList(book, { pupils: 500, status: "draft", school: "Draft", class_name: "P4" });
    await addList(book, { pupils: 500, school_year: "2030/2031", class_name: "P6" });
    await sell(book, 80, plus(lastYears.from, 5));
    await sell(book, 7, plus(lastYears.to, 1));
    await sell(book, 9, plus(lastYears.from, 6), "cancelled");
    await wait(book, 20);
    await purchase(supplier, [[book, 40]]);
    await purchase(supplier, [[book, 5]], "draft");
    await purchase(supplier, [[book, 60]], "cancelled");
    expect(await needs(next, { publisher })).toMatchObject([
      {
        title: "Maths 4",
        supplier_id: supplier,
        listed: 120,
        sold_in_year: 0,
        sold_last_year: 80,
        sold_in_term: 0,
        waiting: 20,
        stock: 30,
        on_its_way: 40,
        drafted: 5,
        needed: 140,
        proposed: 65,
        found: 1,
        lists: [
          { school: "Asante Primary", class_name: "P4", pupils: 120, copies: 1, is_required: true },
          { school: "Hilltop", pupils: null },
          { school: "Optional", is_required: false },
        ],
      },
    ]);
    // Copies of an open order have left the stock and count as sold: the proposal stays the same.
    await sell(book, 10, today, "pending");
    await open().query("update public.books set stock_quantity = stock_quantity - 10 where id = $1", [
      book.id,
    ]);
    expect(await needs(next, { publisher })).toMatchObject([
      { stock: 20, sold_in_year: 10, needed: 130, proposed: 65 },
    ]);
  });

  test("lists titles with unknown pupils, and those with enough copies only on request", async () => {
    const publisher = `Publisher ${randomUUID()}`;
    const unknown = await addBook(open(), { title: "A unknown", stock: 9, publisher });
    const enough = await addBook(open(), { title: "B enough", stock: 9, publisher });
    await addBook(open(), { title: "C not needed", stock: 0, publisher });
    await addList(unknown, { pupils: null });
    await addList(enough, { pupils: 9 });
    expect(await needs(next, { publisher })).toMatchObject([{ title: "A unknown", needed: 0, proposed: 0 }]);
    expect(await needs(next, { publisher, covered: true })).toMatchObject([
      { title: "A unknown" },
      { title: "B enough", needed: 9, proposed: 0 },
    ]);
    expect(await needs(next, { publisher, supplier: "none" })).toHaveLength(1);
    expect(await needs(next, { publisher, supplier: randomUUID() })).toHaveLength(0);
    const backwards = needs({ name: "", from: next.to, to: next.from });
    expect((await refusalOf(backwards)).detail).toMatchObject({ field: "period" });
  });

  test("agrees with a slow recalculation over all rows, for random lists, sales, stock alerts and purchases", {
    tags: "long",
  }, async () => {
    const suppliers = [await addSupplier(open(), admin), await addSupplier(open(), admin, "GBP")];
    const hidden = await addSupplier(open(), admin);
    let proposals = 0;
    const event = fc.record({
      kind: fc.constantFrom("list", "sale", "sale", "wait", "purchase"),
      book: fc.nat(5),
      copies: fc.integer({ min: 1, max: 40 }),
      days: fc.integer({ min: -480, max: 0 }),
      flavour: fc.nat(5),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 15, maxLength: 40 }), async (events) => {
        const publishers = [`One ${randomUUID()}`, `Two ${randomUUID()}`, null];
        const books: TestBook[] = [];
        for (let at = 0; at < 6; at += 1)
          books.push(await addBook(open(), { stock: at * 7, publisher: publishers[at % 3] }));
        for (const { kind, book: at, copies, days, flavour } of events) {
          const book = books[at] as TestBook;
          if (kind === "list")
            await addList(book, {
              class_name: `Class ${randomUUID()}`,
              pupils: flavour === 0 ? null : copies * 3,
              copies: 1 + (flavour % 2),
              is_required: flavour !== 1,
              status: flavour === 2 ? "withdrawn" : "published",
              school_year: flavour === 3 ? `${startYear - 1}/${startYear}` : schoolYear,
            });
          if (kind === "sale")
            await sell(book, copies, plus(today, days), flavour === 0 ? "cancelled" : "delivered");
          if (kind === "wait") await wait(book, 1 + (flavour % 2));
          if (kind === "purchase") {
            const supplier = flavour === 5 ? hidden : (suppliers[flavour % 2] as string);
            await open().query("update public.suppliers set hidden = false where id = $1", [hidden]);
            const status = ["draft", "sent", "sent", "cancelled", "received", "sent"][flavour];
            const id = await purchase(supplier, [[book, copies]], status);
            // As a receipt leaves it.
            if (status === "received")
              await open().query(
                "update public.purchase_order_lines set received = $2 where purchase_order_id = $1",
                [id, Math.floor(copies / 2)],
              );
            if (status === "received")
              await open().query("update public.purchase_orders set status = 'part_received' where id = $1", [
                id,
              ]);
          }
        }
        await open().query("update public.suppliers set hidden = true where id = $1", [hidden]);
        const rows: Record<string, Row[]> = {};
        for (const table of "books booklists booklist_lines order_items stock_alerts purchase_order_lines suppliers".split(
          " ",
        ))
          rows[table] = await open().query(`select * from public.${table}`);
        rows.orders = await open().query(
          "select id, status, extract(epoch from created_at) * 1000 as placed_ms from public.orders",
        );
        rows.purchase_orders = await open().query(
          "select id, status, supplier_id, extract(epoch from created_at) * 1000000 as begun_ms from public.purchase_orders",
        );
        for (const term of [next, current]) {
          const expected = recompute(rows, terms, term);
          const found = await needs(term);
          expect(found[0]?.found ?? 0).toBe(found.length);
          const plain = expected.filter(({ proposed, unknown }) => proposed > 0 || unknown);
          proposals += plain.length;
          const bare = (all: (Row & { book_id: string })[]) =>
            all.sort((a, b) => (a.book_id < b.book_id ? -1 : 1)).map((need) => ({ ...need }));
          expect(
            bare(
              found.map(({ title, publisher, isbn, supplier_name, lists, found: _, ...need }) => ({
                ...need,
                unknown: lists.some(({ is_required, pupils }) => is_required && pupils === null),
              })),
            ),
          ).toEqual(bare(plain));
          for (const filter of [...suppliers, "none"])
            expect((await needs(term, { supplier: filter })).length).toBe(
              plain.filter(({ supplier_id }) => (supplier_id ?? "none") === filter).length,
            );
        }
      }),
      { numRuns: 4, seed: 26 },
    );
    expect(proposals).toBeGreaterThan(20);
  });

  test("becomes one draft per supplier, once, however often it is requested at once", async () => {
    const cedis = await addSupplier(open(), admin);
    const pounds = await addSupplier(open(), admin, "GBP");
    const [a, b, c] = [
      await addBook(open(), { title: "A", price: 20 }),
      await addBook(open(), { title: "B", price: 30 }),
      await addBook(open(), { title: "C", price: 40 }),
    ];
    await purchase(pounds, [[c, 1]]);
    const id = randomUUID();
    const lines = [
      { book_id: b.id, supplier_id: cedis, copies: 4 },
      { book_id: a.id, supplier_id: cedis, copies: 3 },
      { book_id: a.id, supplier_id: pounds, copies: 2 },
      { book_id: c.id, supplier_id: pounds, copies: 5 },
    ];
    const make: Request = [
      admin,
      "select * from public.draft_needed_purchases($1, $2::jsonb)",
      [id, JSON.stringify(lines)],
    ];
    await Promise.all(Array.from({ length: 6 }, () => send(open(), make)));
    const drafts = await open().query<{ supplier_id: string; status: string; version: number; lines: Row[] }>(
      `select o.supplier_id, o.status, o.version,
              (select jsonb_agg(jsonb_build_array(l.title, l.copies, l.list_price, l.discount) order by l.position)
                 from public.purchase_order_lines l where l.purchase_order_id = o.id) as lines
         from public.purchase_orders o
        where o.supplier_id in ($1, $2) and o.status = 'draft'`,
      [cedis, pounds],
    );
    expect(drafts).toHaveLength(2);
    expect(drafts).toContainEqual({
      supplier_id: cedis,
      status: "draft",
      version: 2,
      lines: [
        ["A", 3, 20, 30],
        ["B", 4, 30, 30],
      ],
    });
    // In pounds: the price of the last order, and none for a title that was never ordered.
    expect(drafts).toContainEqual({
      supplier_id: pounds,
      status: "draft",
      version: 2,
      lines: [
        ["A", 2, 0, 30],
        ["C", 5, 12.5, 20],
      ],
    });
    const again = await send(open(), make);
    expect(again).toHaveLength(2);
    expect(again).toContainEqual(expect.objectContaining({ titles: 2, unpriced: 1 }));
  });

  test("makes no draft at all when one line is refused", async () => {
    const fine = await addSupplier(open(), admin);
    const hidden = await addSupplier(open(), admin);
    await open().query("update public.suppliers set hidden = true where id = $1", [hidden]);
    const book = await addBook(open());
    const line = (change: Row = {}) => ({ book_id: book.id, supplier_id: fine, copies: 1, ...change });
    const bad: [unknown, string][] = [
      [null, "invalid_lines"],
      [[], "invalid_lines"],
      [[null], "invalid_lines"],
      [[line({ supplier_id: "x" })], "invalid_lines"],
      [[line({ copies: 0 })], "invalid_lines"],
      [[line({ copies: 1.5 })], "invalid_lines"],
      [[line(), line()], "invalid_lines"],
      [[line(), line({ supplier_id: hidden })], "supplier_hidden"],
      [[line(), line({ supplier_id: randomUUID() })], "supplier_not_found"],
      [[line(), line({ book_id: randomUUID() })], "book_not_found"],
      [Array.from({ length: 1001 }, () => line({ book_id: randomUUID() })), "invalid_lines"],
    ];
    for (const [lines, code] of bad) {
      const refusal = await refusalOf(
        open().as(admin, (query) =>
          query("select * from public.draft_needed_purchases($1, $2::jsonb)", [
            randomUUID(),
            JSON.stringify(lines),
          ]),
        ),
      );
      expect([JSON.stringify(lines).slice(0, 90), refusal.detail?.code]).toEqual([
        JSON.stringify(lines).slice(0, 90),
        code,
      ]);
    }
    const [row] = await open().query<{ n: number }>(
      "select count(*)::int as n from public.purchase_orders where supplier_id in ($1, $2)",
      [fine, hidden],
    );
    expect(row?.n).toBe(0);
  });

  test("keeps the expected pupils of a list that is copied or imported again", async () => {
    const book = await addBook(open());
    await addList(book, { pupils: 33, school: "Copied School", class_name: "JHS 1" });
    const [copy] = await open().as(admin, (query) =>
      query<{ pupils: number }>(
        `select (public.copy_booklist(id, '2031/2032')).pupils from public.booklists where school = 'Copied School'`,
      ),
    );
    expect(copy?.pupils).toBe(33);
    const [list] = await open().query<Row>(
      "select id, updated_at from public.booklists where school = 'Copied School' and school_year = $1",
      [schoolYear],
    );
    const bad = open().as(admin, (query) =>
      query(
        `select public.save_booklist(_school => 'Copied School', _class_name => 'JHS 1', _school_year => $1, _lines => '[]', _id => $2,
                                     _updated_at => $3, _pupils => 10000)`,
        [schoolYear, list?.id, list?.updated_at],
      ),
    );
    expect((await refusalOf(bad)).detail).toMatchObject({ field: "pupils", rule: "range" });
  });

  test("a save without expected pupils, as from an older page, keeps the stored number, and 0 means unknown", async () => {
    const id = randomUUID();
    const save = async (more: string) => {
      const [saved] = await open().as(admin, (query) =>
        query<{ pupils: number | null }>(
          `select pupils from public.save_booklist(_school => 'Older Page', _class_name => 'P1', _school_year => $2, _lines => '[]', _id => $1,
             _updated_at => (select updated_at from public.booklists where id = $1) ${more})`,
          [id, schoolYear],
        ),
      );
      return saved?.pupils;
    };
    expect(await save("")).toBeNull();
    expect(await save(", _pupils => 41")).toBe(41);
    expect(await save("")).toBe(41);
    expect(await save(", _pupils => 0")).toBeNull();
    const other = open().as(admin, (query) =>
      query(
        "select public.save_booklist(_school => 'Other', _class_name => 'P1', _school_year => $1, _lines => '[]', _pupils => 0)",
        [schoolYear],
      ),
    );
    await expect(other).resolves.toHaveLength(1);
  });
});
