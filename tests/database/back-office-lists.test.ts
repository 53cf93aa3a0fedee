import { beforeAll, expect, test } from "vitest";
import type { Row } from "#tests/support/database.ts";
import { addBook, addCustomer, addStaff, order, type TestBook } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn, secretKey, visitor } from "#tests/support/people.ts";

describeDatabase("The lists of the back office", (open) => {
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
    const args = Object.entries(filters);
    return open().as(person, (query) =>
      query(
        `select * from public.${name}(${args.map(([key], i) => `${key} => $${i + 1}`).join(", ")})`,
        args.map(([, value]) => value),
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

  test("orders are listed newest first, with all their columns", async () => {
    expect(await ordersFound({})).toEqual([2, 1, 0]);
    const [newest] = await list("orders");
    const [stored] = await open().query("select * from public.orders where id = $1", [newest?.id ?? null]);
    expect(newest).toMatchObject({ user_id: first.id, status: "shipped" });
    expect(newest).toEqual(stored);
  });

  test("orders are found by all or part of the id, by customer, recipient and phone", async () => {
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

  test("an order is found by its short number", async () => {
    const [, order] = await list("orders");
    const number = Number(order?.number);
    for (const q of [`${number}`, ` ${number} `]) expect(await ordersFound({ _q: q })).toContain(1);
    for (const q of [
      `#${number}`,
      `# ${number}`,
      `No. ${number}`,
      `no ${number}`,
      `NO.${number}`,
      `Order #${number}`,
    ])
      expect([q, await ordersFound({ _q: q })]).toEqual([q, [1]]);
    expect(await ordersFound({ _q: `#${number}`, _status: "shipped" })).toEqual([]);
    expect(await ordersFound({ _q: "#1" })).toEqual([]);
    expect(await ordersFound({ _q: "Nobody" })).toEqual([]);
    expect(await ordersFound({ _q: "999999999999999999999999" })).toEqual([]);
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

  test("users are found by name, email and phone, filtered by role and sorted", async () => {
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

  test("the log is filtered by table and person, and shows what can be restored", async () => {
    const deleted = await addBook(open(), { title: "Gone" });
    await open().as(admin, (query) => query("delete from public.books where id = $1", [deleted.id]));
    const [entry] = await list("audit", { _q: deleted.id, _actor: admin.id });
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
      (await list("audit", { _q: deleted.id, _actor: admin.id })).map(({ restorable }) => restorable),
    ).toEqual([false, false]);
    await open().as(admin, (query) => query("delete from public.books where id = $1", [deleted.id]));
    const latest = await list("audit", { _q: deleted.id, _actor: admin.id });
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

  test("titles are listed and counted by kind", async () => {
    const before = await call("count_kinds");
    expect(before.map(({ kind }) => kind)).toEqual(["book", "digital", "stationery"]);
    const word = "kindlisted";
    for (const kind of ["book", "stationery", "stationery"])
      await addBook(open(), { title: `${kind} ${word}`, kind });
    const listed = await list("books", { _q: word, _kind: "stationery" });
    expect(listed.map(({ title }) => title)).toEqual([`stationery ${word}`, `stationery ${word}`]);
    expect(await call("count_kinds")).toEqual(
      before.map(({ kind, titles }) => ({
        kind,
        titles: Number(titles) + ({ book: 1, stationery: 2 }[kind as string] ?? 0),
      })),
    );
    await open().query("delete from public.books where title like $1", [`%${word}`]);
  });

  test("a search of the log finds a deleted book by its title, a role by its person, an order by its number", async () => {
    const deleted = await addBook(open(), { title: "Les Misérables 50%" });
    await open().as(admin, (query) => query("delete from public.books where id = $1", [deleted.id]));
    const found = async (_q: string) => (await list("audit", { _q })).map(({ row_id }) => row_id);
    expect(await found("miserables 50%")).toContain(deleted.id);
    expect(await found("miserables_50")).not.toContain(deleted.id);
    const [order] = await open().query("select id, number from public.orders order by number limit 1");
    await open().query("update public.orders set status = 'processing' where id = $1", [order?.id]);
    for (const q of [`${order?.number}`, `#${order?.number}`, `No. ${order?.number}`]) {
      expect(await found(q)).toContain(order?.id);
    }
    const person = await addCustomer(open(), { full_name: "Given Somebody" });
    await open().as(admin, (query) =>
      query("insert into public.user_roles (user_id, role) values ($1, 'moderator')", [person.id]),
    );
    const roles = await list("audit", { _q: "given some" });
    expect(roles.map(({ table_name, action }) => [table_name, action])).toContainEqual([
      "user_roles",
      "insert",
    ]);
  });

  test("only staff with the duty may read them, and the secret key", async () => {
    const moderator = await addStaff(open(), "moderator");
    for (const noun of ["orders", "users", "books", "reviews", "audit"]) {
      const code = noun === "audit" ? "admin_only" : "duty_missing";
      // Moderators have the duty reviews, and with any duty one sees the books, as everyone does in the shop.
      const refused = noun === "reviews" || noun === "books" ? [first] : [first, moderator];
      for (const name of [`admin_list_${noun}`, `admin_count_${noun}`]) {
        for (const person of refused)
          expect((await refusalOf(call(name, {}, person))).detail).toMatchObject({ code });
        expect((await refusalOf(call(name, {}, visitor))).code).toBe("42501");
        await call(name, {}, secretKey);
      }
    }
    expect((await refusalOf(call("dashboard_stats", {}, first))).detail).toMatchObject({
      code: "duty_missing",
    });
  });
});
