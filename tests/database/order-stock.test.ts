import { beforeAll, expect, test } from "vitest";
import type { Row } from "#tests/support/database.ts";
import {
  addBook,
  addCustomer,
  addStaff,
  movementsOf,
  order,
  stockOf,
} from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";

describeDatabase("An order's status and its copies", (open) => {
  let customer: SignedIn;
  let other: SignedIn;
  let moderator: SignedIn;
  let admin: SignedIn;
  beforeAll(async () => {
    customer = await addCustomer(open());
    other = await addCustomer(open());
    moderator = await addStaff(open(), "moderator");
    admin = await addStaff(open(), "admin");
  });

  const setStatus = (person: SignedIn, orderId: string, status: string) =>
    open().as(person, (query) =>
      query<{ status: string; stock_held: boolean }>(
        "update public.orders set status = $2 where id = $1 returning status, stock_held",
        [orderId, status],
      ),
    );
  const remove = (person: SignedIn, orderId: string) =>
    open().as(person, (query) => query("delete from public.orders where id = $1 returning id", [orderId]));
  const call = (person: SignedIn, name: string, argument: unknown) =>
    open().as(person, (query) => query(`select public.${name}($1) as answer`, [argument]));
  const eventsOf = async (orderId: string) =>
    (await open().query("select * from public.order_events where order_id = $1 order by id", [orderId])).map(
      (event: Row) =>
        `${event.from_status} → ${event.to_status} by ${event.actor === admin.id ? "admin" : "customer"}`,
    );

  test("a customer cancels their own order, and its copies return", async () => {
    const book = await addBook(open(), { stock: 5 });
    const orderId = await order(open(), customer, [[book, 2]]);
    expect(await setStatus(customer, orderId, "cancelled")).toEqual([
      { status: "cancelled", stock_held: false },
    ]);
    expect(await stockOf(open(), book)).toBe(5);
    expect(await movementsOf(open(), book)).toEqual(["-2 order", "2 cancel"]);
    expect(await eventsOf(orderId)).toEqual(["pending → cancelled by customer"]);
  });

  test("cancelling twice, or after delivery, changes nothing", async () => {
    const book = await addBook(open(), { stock: 5 });
    const orderId = await order(open(), customer, [[book, 2]]);
    await setStatus(customer, orderId, "cancelled");
    expect(await setStatus(customer, orderId, "cancelled")).toEqual([]);
    expect(await stockOf(open(), book)).toBe(5);
    const delivered = await order(open(), customer, [[book, 2]]);
    await setStatus(admin, delivered, "delivered");
    expect(await setStatus(customer, delivered, "cancelled")).toEqual([]);
    expect(await stockOf(open(), book)).toBe(3);
  });

  test("a customer changes nothing else of their order, and nothing of another's", async () => {
    const book = await addBook(open(), { stock: 5 });
    const orderId = await order(open(), customer, [[book, 2]]);
    expect((await refusalOf(setStatus(customer, orderId, "delivered"))).code).toBe("42501");
    expect(await setStatus(other, orderId, "cancelled")).toEqual([]);
    expect(await setStatus(moderator, orderId, "cancelled")).toEqual([]);
    for (const change of [
      "total_amount = 1",
      "shipping_address = 'x'",
      "stock_held = false",
      "user_id = null",
    ]) {
      const attempt = open().as(customer, (query) =>
        query(`update public.orders set ${change} where id = $1`, [orderId]),
      );
      expect((await refusalOf(attempt)).code).toBe("42501");
    }
    expect(await remove(customer, orderId)).toEqual([]);
    expect(await remove(moderator, orderId)).toEqual([]);
    expect(await stockOf(open(), book)).toBe(3);
  });

  test("an admin sets any status from any other, and each change is an event", async () => {
    const book = await addBook(open(), { stock: 5 });
    const orderId = await order(open(), customer, [[book, 1]]);
    const states = ["pending", "processing", "shipped", "delivered", "cancelled"];
    const path = states.flatMap((from) => states.flatMap((to) => [from, to])).concat("pending");
    for (const status of path) expect(await setStatus(admin, orderId, status)).toHaveLength(1);
    const changes = path.filter((status, i) => status !== (path[i - 1] ?? "pending"));
    expect(await eventsOf(orderId)).toHaveLength(changes.length);
    expect((await refusalOf(setStatus(admin, orderId, "lost"))).detail).toMatchObject({
      code: "invalid_field",
      field: "status",
    });
    const [held] = await setStatus(admin, orderId, "pending");
    expect([held?.stock_held, await stockOf(open(), book)]).toEqual([true, 4]);
  });

  test("a shipped order returns nothing when it is cancelled, until staff return it, once", async () => {
    const book = await addBook(open(), { stock: 5 });
    const orderId = await order(open(), customer, [[book, 2]]);
    await setStatus(admin, orderId, "shipped");
    expect(await setStatus(customer, orderId, "cancelled")).toEqual([
      { status: "cancelled", stock_held: true },
    ]);
    expect(await stockOf(open(), book)).toBe(3);
    for (const person of [customer, moderator]) {
      expect((await refusalOf(call(person, "return_to_stock", orderId))).detail).toMatchObject({
        code: "duty_missing",
      });
    }
    await call(admin, "return_to_stock", orderId);
    expect(await stockOf(open(), book)).toBe(5);
    expect((await refusalOf(call(admin, "return_to_stock", orderId))).detail).toEqual({
      code: "nothing_to_return",
    });
    expect(await movementsOf(open(), book)).toEqual(["-2 order", "2 return"]);
  });

  test("reopening takes the copies again, and is refused with a message when too few are left", async () => {
    const book = await addBook(open(), { title: "Wanted", stock: 2 });
    const orderId = await order(open(), customer, [[book, 2]]);
    await setStatus(customer, orderId, "cancelled");
    expect(await setStatus(admin, orderId, "processing")).toEqual([
      { status: "processing", stock_held: true },
    ]);
    expect(await stockOf(open(), book)).toBe(0);
    await setStatus(admin, orderId, "cancelled");
    await order(open(), other, [[book, 1]]);
    const refusal = await refusalOf(setStatus(admin, orderId, "pending"));
    expect(refusal).toMatchObject({
      code: "PT409",
      detail: { code: "insufficient_stock", lines: [{ title: "Wanted", requested: 2, left: 1 }] },
    });
    expect(await stockOf(open(), book)).toBe(1);
  });

  test("reopening names the titles that have too few, deleted books among them, and moves no other", async () => {
    const [sold, deleted, plenty] = [
      await addBook(open(), { title: "Sold since", stock: 2 }),
      await addBook(open(), { title: "Deleted since", stock: 2 }),
      await addBook(open(), { title: "Plenty", stock: 3 }),
    ];
    const orderId = await order(open(), customer, [
      [sold, 2],
      [deleted, 2],
      [plenty, 2],
    ]);
    await setStatus(customer, orderId, "cancelled");
    const soldTo = [
      await order(open(), other, [[sold, 1]]),
      await order(open(), other, [[deleted, 1]]),
    ] as const;
    await open().query("delete from public.books where id = $1", [deleted.id]);
    const archived = async () =>
      (
        await open().query("select stock_quantity as left from private.gone_books where id = $1", [
          deleted.id,
        ])
      )[0];
    const titles = async () => {
      const { detail } = await refusalOf(setStatus(admin, orderId, "pending"));
      return (detail as { lines: Row[] }).lines.map(({ title }) => title);
    };

    expect(await titles()).toEqual(["Deleted since", "Sold since"]);
    await setStatus(other, soldTo[0], "cancelled");
    expect(await titles()).toEqual(["Deleted since"]);
    expect([await stockOf(open(), sold), await stockOf(open(), plenty), await archived()]).toEqual([
      2,
      3,
      { left: 1 },
    ]);
    await setStatus(other, soldTo[1], "cancelled");
    expect(await setStatus(admin, orderId, "pending")).toEqual([{ status: "pending", stock_held: true }]);
    expect([await stockOf(open(), sold), await stockOf(open(), plenty), await archived()]).toEqual([
      0,
      1,
      { left: 0 },
    ]);
  });

  test("deleting a pending order returns its copies and deletes its lines; restoring takes them again", async () => {
    const book = await addBook(open(), { stock: 5 });
    const orderId = await order(open(), customer, [[book, 2]]);
    const read = () =>
      open().query(
        `select o.*, i.book_id, i.quantity, i.price, i.title as line from public.orders o
         join public.order_items i on i.order_id = o.id where o.id = $1`,
        [orderId],
      );
    const before = await read();
    expect(await remove(admin, orderId)).toEqual([{ id: orderId }]);
    expect([await stockOf(open(), book), await read()]).toEqual([5, []]);
    for (const person of [customer, moderator]) {
      expect((await refusalOf(call(person, "restore_order", orderId))).code).toBe("PT403");
    }
    expect(await call(admin, "restore_order", orderId)).toEqual([{ answer: orderId }]);
    expect(await stockOf(open(), book)).toBe(3);
    const after = await read();
    expect(after.map(({ updated_at: _, ...row }: Row) => row)).toEqual(
      before.map(({ updated_at: _, ...row }: Row) => row),
    );
    expect((await refusalOf(call(admin, "restore_order", orderId))).detail).toEqual({
      code: "already_restored",
    });
    expect(await movementsOf(open(), book)).toEqual(["-2 order", "2 delete", "-2 reopen"]);
  });

  test("restoring is refused when too few are left, and for an order that never existed", async () => {
    const book = await addBook(open(), { stock: 2 });
    const orderId = await order(open(), customer, [[book, 2]]);
    await remove(admin, orderId);
    await order(open(), other, [[book, 1]]);
    expect((await refusalOf(call(admin, "restore_order", orderId))).detail).toMatchObject({
      code: "insufficient_stock",
    });
    expect(await open().query("select id from public.orders where id = $1", [orderId])).toEqual([]);
    expect((await refusalOf(call(admin, "restore_order", customer.id))).detail).toEqual({
      code: "not_in_archive",
    });
  });

  test("deleting a cancelled or shipped order returns nothing, and restoring takes nothing", async () => {
    const book = await addBook(open(), { stock: 9 });
    const cancelled = await order(open(), customer, [[book, 2]]);
    await setStatus(admin, cancelled, "cancelled");
    const shipped = await order(open(), customer, [[book, 3]]);
    await setStatus(admin, shipped, "shipped");
    expect(await stockOf(open(), book)).toBe(6);
    for (const orderId of [cancelled, shipped]) {
      await remove(admin, orderId);
      await call(admin, "restore_order", orderId);
      expect(await stockOf(open(), book)).toBe(6);
    }
    const rows = await open().query("select id, stock_held from public.orders where id = any ($1::uuid[])", [
      [cancelled, shipped],
    ]);
    expect(new Map(rows.map(({ id, stock_held }) => [id, stock_held]))).toEqual(
      new Map([
        [cancelled, false],
        [shipped, true],
      ]),
    );
  });

  test("deleting an order's lines while the order exists succeeds and changes nothing", async () => {
    const book = await addBook(open(), { stock: 5 });
    const orderId = await order(open(), customer, [[book, 2]]);
    for (const person of [admin, customer]) {
      expect(
        await open().as(person, (query) =>
          query("delete from public.order_items where order_id = $1 returning id", [orderId]),
        ),
      ).toEqual([]);
    }
    expect(
      await open().query("select quantity from public.order_items where order_id = $1", [orderId]),
    ).toEqual([{ quantity: 2 }]);
  });

  test("a deleted book is removed from carts and wishlists, keeps its title in orders, and its copies no longer return", async () => {
    const book = await addBook(open(), { title: "Short-lived", stock: 5 });
    const lasting = await addBook(open(), { stock: 5 });
    const orderId = await order(open(), customer, [
      [book, 2],
      [lasting, 1],
    ]);
    await open().as(other, async (query) => {
      await query("select public.add_to_cart($1)", [book.id]);
      await query("insert into public.wishlists (user_id, book_id) values ($1, $2)", [other.id, book.id]);
    });
    await open().as(admin, (query) => query("delete from public.books where id = $1", [book.id]));
    for (const table of ["cart_items", "wishlists"]) {
      expect(await open().query(`select id from public.${table} where book_id = $1`, [book.id])).toEqual([]);
    }
    expect(
      await open().query(
        "select book_id, title from public.order_items where order_id = $1 and quantity = 2",
        [orderId],
      ),
    ).toEqual([{ book_id: null, title: "Short-lived" }]);
    await setStatus(customer, orderId, "cancelled");
    expect(await stockOf(open(), lasting)).toBe(5);
    await setStatus(admin, orderId, "pending");
    expect(await stockOf(open(), lasting)).toBe(4);
  });

  test("cancelling from two tabs returns the copies once", async () => {
    const book = await addBook(open(), { stock: 5 });
    const orderId = await order(open(), customer, [[book, 2]]);
    const responses = await Promise.all([
      setStatus(customer, orderId, "cancelled"),
      setStatus(customer, orderId, "cancelled"),
      setStatus(admin, orderId, "cancelled"),
    ]);
    expect(responses.flat().length).toBeGreaterThanOrEqual(1);
    expect(await stockOf(open(), book)).toBe(5);
  });
});
