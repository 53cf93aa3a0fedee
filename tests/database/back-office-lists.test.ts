import { beforeAll, expect, test } from "vitest";
import type { Row } from "#tests/support/database.ts";
import { describeOnEachEngine } from "#tests/support/engines.ts";
import { addBook, order, type TestBook } from "#tests/support/orders.ts";
import {
  addCustomer,
  addStaff,
  refusalOf,
  type SignedIn,
  secretKey,
  visitor,
} from "#tests/support/people.ts";

describeOnEachEngine("The lists of the back office", (open) => {
  let first: SignedIn;
  let second: SignedIn;
  let admin: SignedIn;
  let book: TestBook;
  const orders: string[] = [];
  beforeAll(async () => {
    first = await addCustomer(open(), { full_name: "Zoë First", phone: "+233 24 412 3456" });
    second = await addCustomer(open(), { full_name: "Second 100%" });
    admin = await addStaff(open(), "admin");
    await addStaff(open(), "moderator");
    book = await addBook(open(), {
      title: "Listed",
      publisher: "CGP",
      price: 10,
      stock: 100,
      isbn: "978-0-306-40615-7",
    });
    await addBook(open(), { title: "Another", price: 99, stock: 3 });
    for (const [person, quantity] of [
      [first, 3],
      [second, 1],
      [first, 2],
    ] as const) {
      orders.push(await order(open(), person, [[book, quantity]]));
    }
    await open().query(
      "update public.orders set recipient_name = 'The Bursar', recipient_phone = '(030) 277-1234' where id = $1",
      [orders[1]],
    );
    await open().query("update public.orders set status = 'shipped' where id = $1", [orders[2]]);
    await open().query(
      "insert into public.reviews (book_id, user_id, rating, review_text) values ($1, $2, 4, 'A 50% better book')",
      [book.id, first.id],
    );
    await open().query("insert into public.reviews (book_id, user_id, rating) values ($1, $2, 2)", [
      book.id,
      second.id,
    ]);
  });

  const call = (
    name: string,
    filters: Row = {},
    person: Parameters<ReturnType<typeof open>["as"]>[0] = admin,
  ) => {
    const given = Object.entries(filters);
    return open().as(person, (query) =>
      query(
        `select * from public.${name}(${given.map(([key], i) => `${key} => $${i + 1}`).join(", ")})`,
        given.map(([, value]) => value),
      ),
    );
  };
  /** The rows of a list; their number is checked against the count with the same filters. */
  const list = async (noun: string, filters: Row = {}) => {
    const rows = await call(`admin_list_${noun}`, filters);
    const { _sort, _descending, ...counted } = filters;
    const [count] = await call(`admin_count_${noun}`, counted);
    expect(count).toEqual({ [`admin_count_${noun}`]: rows.length });
    return rows;
  };
  const ordersFound = async (filters: Row) =>
    (await list("orders", filters)).map(({ id }) => orders.indexOf(String(id)));

  test("orders come newest first, with their customers", async () => {
    expect(await ordersFound({})).toEqual([2, 1, 0]);
    const [newest] = await list("orders");
    expect(newest).toMatchObject({
      customer_name: "Zoë First",
      customer_email: `${first.id}@shop.test`,
      status: "shipped",
    });
  });

  test("orders are found by number in either form, customer, recipient and phone", async () => {
    const number = String(orders[1]);
    for (const q of [
      number,
      number.slice(0, 8),
      `${number.slice(0, 8)}…`,
      `${number.slice(0, 8)}...`,
      number.slice(-8),
      `#${number.slice(-8)}`,
      number.slice(9, 20),
      number.slice(0, 8).toUpperCase(),
    ]) {
      expect([q, await ordersFound({ _q: q })]).toEqual([q, [1]]);
    }
    expect(await ordersFound({ _q: "zoe f" })).toEqual([2, 0]);
    expect(await ordersFound({ _q: first.id.slice(0, 13) })).toEqual([2, 0]);
    expect(await ordersFound({ _q: "bursar" })).toEqual([1]);
    expect(await ordersFound({ _q: "100%" })).toEqual([1]);
    for (const q of ["0244123456", "024 412 3456", "+233244123456", "412 3456"])
      expect([q, await ordersFound({ _q: q })]).toEqual([q, [2, 0]]);
    expect(await ordersFound({ _q: "0302771234" })).toEqual([1]);
    expect(await ordersFound({ _q: "nobody" })).toEqual([]);
    expect(await ordersFound({ _q: "%" })).toEqual([1]);
  });

  test("orders are filtered by status and sorted", async () => {
    expect(await ordersFound({ _status: "pending" })).toEqual([1, 0]);
    expect(await ordersFound({ _status: "shipped", _q: "zoe" })).toEqual([2]);
    expect(await ordersFound({ _status: "" })).toEqual([2, 1, 0]);
    expect(await ordersFound({ _sort: "total_amount" })).toEqual([1, 2, 0]);
    expect(await ordersFound({ _sort: "total_amount", _descending: true })).toEqual([0, 2, 1]);
    expect(await ordersFound({ _sort: "status" })).toEqual([1, 0, 2]);
    expect(await ordersFound({ _sort: "created_at", _descending: false })).toEqual([0, 1, 2]);
    expect(await ordersFound({ _sort: "id; drop table public.orders" })).toEqual([2, 1, 0]);
  });

  test("pages follow one another without gap or repetition", async () => {
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => call("admin_list_orders", { _page: page, _page_size: 1 })),
    );
    expect(pages.flat().map(({ id }) => orders.indexOf(String(id)))).toEqual([2, 1, 0]);
    expect(await call("admin_list_orders", { _page: -1, _page_size: 0 })).toHaveLength(1);
  });

  test("users are found by name, e-mail and phone, filtered by role and sorted", async () => {
    const names = async (filters: Row) =>
      (await list("users", filters)).map(({ full_name, role }) => `${full_name}: ${role}`);
    expect(await names({ _sort: "full_name" })).toEqual(
      ["A moderator: moderator", "A admin: admin", "Second 100%: user", "Zoë First: user"].sort(),
    );
    expect(await names({ _q: "ZOE" })).toEqual(["Zoë First: user"]);
    expect(await names({ _q: "0%" })).toEqual(["Second 100%: user"]);
    expect(await names({ _q: second.id })).toEqual(["Second 100%: user"]);
    expect(await names({ _q: "0244123456" })).toEqual(["Zoë First: user"]);
    expect(await names({ _role: "admin" })).toEqual(["A admin: admin"]);
    expect(await names({ _role: "user" })).toHaveLength(2);
    expect(await names({ _role: "user", _q: "zoe" })).toEqual(["Zoë First: user"]);
    expect(await list("users", { _sort: "email", _descending: true })).toHaveLength(4);
  });

  test("books are found as in the shop, filtered by publisher and sorted", async () => {
    const titles = async (filters: Row) => (await list("books", filters)).map(({ title }) => title);
    expect(await titles({ _sort: "title" })).toEqual(["Another", "Listed"]);
    expect(await titles({ _sort: "price" })).toEqual(["Listed", "Another"]);
    expect(await titles({ _sort: "stock_quantity" })).toEqual(["Another", "Listed"]);
    expect(await titles({ _sort: "publisher" })).toEqual(["Listed", "Another"]);
    expect(await titles({ _publisher: "CGP" })).toEqual(["Listed"]);
    expect(await titles({ _q: "0306406152" })).toEqual(["Listed"]);
    expect(await titles({})).toEqual(["Another", "Listed"]);
  });

  test("reviews are found by text, book and customer, filtered by rating", async () => {
    const ratings = async (filters: Row) => (await list("reviews", filters)).map(({ rating }) => rating);
    expect(await ratings({})).toEqual([2, 4]);
    expect(await ratings({ _q: "50% BETTER" })).toEqual([4]);
    expect(await ratings({ _q: "listed" })).toEqual([2, 4]);
    expect(await ratings({ _q: "second" })).toEqual([2]);
    expect(await ratings({ _rating: 4 })).toEqual([4]);
    expect(await ratings({ _sort: "rating", _descending: true })).toEqual([4, 2]);
    expect(await list("reviews", { _rating: 4 })).toMatchObject([
      { book_title: "Listed", customer_name: "Zoë First" },
    ]);
  });

  test("the log is filtered by table and person, and says what can be restored", async () => {
    const gone = await addBook(open(), { title: "Gone" });
    await open().as(admin, (query) => query("delete from public.books where id = $1", [gone.id]));
    const [entry] = await list("audit", { _q: gone.id, _actor: admin.id });
    expect(entry).toMatchObject({
      action: "delete",
      actor_name: "A admin",
      table_name: "books",
      restorable: true,
    });
    expect(
      (await list("audit", { _table_name: "orders" })).every(({ table_name }) => table_name === "orders"),
    ).toBe(true);
    expect(await list("audit", { _q: "zoe" })).toHaveLength(2);
    await open().as(admin, (query) => query("select public.restore_book($1)", [entry?.id]));
    expect(
      (await list("audit", { _q: gone.id, _actor: admin.id })).map(({ restorable }) => restorable),
    ).toEqual([false, false]);
    await open().as(admin, (query) => query("delete from public.books where id = $1", [gone.id]));
    const latest = await list("audit", { _q: gone.id, _actor: admin.id });
    expect(latest.map(({ action, restorable }) => [action, restorable])).toEqual([
      ["delete", true],
      ["restore", false],
      ["delete", false],
    ]);
    await open().as(admin, (query) => query("select public.restore_book($1)", [latest[0]?.id]));
  });

  test("the dashboard counts people, titles, copies, orders and reviews", async () => {
    expect(await call("dashboard_stats")).toEqual([
      { total_users: 4, total_books: 3, total_stock: 100 - 6 + 3 + 10, total_orders: 3, total_reviews: 2 },
    ]);
    expect(await call("list_publisher_statistics")).toEqual([
      { publisher: "Unknown", books: 2, stock: 13 },
      { publisher: "CGP", books: 1, stock: 94 },
    ]);
    expect(await call("list_low_stock_books")).toMatchObject([
      { title: "Another", publisher: null, stock_quantity: 3 },
    ]);
  });

  test("only staff may ask: an admin or the secret key", async () => {
    const moderator = await addStaff(open(), "moderator");
    for (const noun of ["orders", "users", "books", "reviews", "audit"]) {
      for (const name of [`admin_list_${noun}`, `admin_count_${noun}`]) {
        for (const person of [first, moderator])
          expect((await refusalOf(call(name, {}, person))).detail).toEqual({ code: "admin_only" });
        expect((await refusalOf(call(name, {}, visitor))).code).toBe("42501");
        await call(name, {}, secretKey);
      }
    }
    expect((await refusalOf(call("dashboard_stats", {}, first))).detail).toEqual({ code: "admin_only" });
  });
});
