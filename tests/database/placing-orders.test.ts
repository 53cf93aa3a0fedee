import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { emails } from "#app/features/delivery/contact-examples.ts";
import {
  addBook,
  addCustomer,
  fillCart,
  movementsOf,
  order,
  placeOrder,
  stockOf,
} from "#tests/support/database-factories.ts";
import { describeOnOwnServerToo } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn, visitor } from "#tests/support/people.ts";

describeOnOwnServerToo("Placing an order", (open) => {
  let customer: SignedIn;
  let other: SignedIn;
  beforeAll(async () => {
    customer = await addCustomer(open());
    other = await addCustomer(open());
  });

  const linesOf = (orderId: string) =>
    open().query(
      "select title, quantity, price::float8 as price from public.order_items where order_id = $1 order by title",
      [orderId],
    );
  const cartOf = (person: SignedIn) =>
    open().query("select book_id, quantity from public.cart_items where user_id = $1", [person.id]);

  test.each([
    ["Please enter a valid email address.", { recipient_email: "abc" }, "recipient_email", "email"],
    ["Please enter a valid phone number.", { recipient_phone: "xyz" }, "recipient_phone", "phone"],
  ])(
    "refuses contact details that reach no one (%s) and takes nothing",
    async (message, recipient, field, rule) => {
      const reader = await addCustomer(open());
      const book = await addBook(open(), { price: 10, stock: 5 });
      await fillCart(open(), reader, [[book, 1]]);
      expect(await refusalOf(placeOrder(open(), reader, { total: 10, ...recipient }))).toEqual({
        code: "PT400",
        message,
        detail: { code: "invalid_field", field, rule },
      });
      expect(await stockOf(open(), book)).toBe(5);
      expect(await cartOf(reader)).toHaveLength(1);
    },
  );

  test("does not wait long while an import holds the book, and says why", { tags: "long" }, async () => {
    const reader = await addCustomer(open());
    const book = await addBook(open(), { price: 10, stock: 5 });
    await fillCart(open(), reader, [[book, 1]]);
    const refusal = await open().transaction(async (query) => {
      await query("update public.books set price = price where id = $1", [book.id]);
      return refusalOf(placeOrder(open(), reader, { total: 10 }));
    });
    expect(refusal).toEqual({
      code: "PT409",
      message: "The catalogue is being updated. Please try again in a minute.",
      detail: { code: "books_busy" },
    });
    await placeOrder(open(), reader, { total: 10 });
    expect(await stockOf(open(), book)).toBe(4);
  });

  test("validates email addresses as the checkout does", async () => {
    const answer = async (text: string) =>
      (await open().query<{ valid: boolean }>("select private.is_email($1) as valid", [text]))[0]?.valid;
    for (const text of emails.valid) expect(await answer(text), text).toBe(true);
    for (const text of emails.invalid) expect(await answer(text), text).toBe(false);
  });

  test("turns the cart into the order's lines, takes the stock and empties the cart in one insert", async () => {
    const maths = await addBook(open(), {
      title: "Maths",
      price: 45.5,
      stock: 5,
      publisher: "CGP",
      isbn: "9780000000002",
    });
    const reading = await addBook(open(), { title: "Reading", price: 20, stock: 3 });
    await fillCart(open(), customer, [
      [maths, 2],
      [reading, 3],
    ]);

    const placed = await placeOrder(open(), customer, {
      total: 151,
      shipping_address: "12 School Lane, Kumasi",
      recipient_name: "The head teacher",
      recipient_email: "head@school.test",
      recipient_phone: "+233 24 000 0000",
    });

    expect(placed).toMatchObject({
      user_id: customer.id,
      status: "pending",
      shipping_address: "12 School Lane, Kumasi",
      recipient_name: "The head teacher",
      stock_held: true,
    });
    expect(await linesOf(placed.id)).toEqual([
      { title: "Maths", quantity: 2, price: 45.5 },
      { title: "Reading", quantity: 3, price: 20 },
    ]);
    const [snapshot] = await open().query(
      "select publisher, isbn from public.order_items where book_id = $1",
      [maths.id],
    );
    expect(snapshot).toEqual({ publisher: "CGP", isbn: "9780000000002" });
    expect(await cartOf(customer)).toEqual([]);
    expect([await stockOf(open(), maths), await stockOf(open(), reading)]).toEqual([3, 0]);
    expect(await movementsOf(open(), maths)).toEqual(["-2 order"]);
  });

  test("gives each order the next number, which no one can choose", async () => {
    const book = await addBook(open(), { price: 10, stock: 9 });
    const numbers = [];
    for (let n = 0; n < 2; n += 1) {
      await fillCart(open(), customer, [[book, 1]]);
      numbers.push(Number((await placeOrder(open(), customer, { total: 10 })).number));
    }
    expect(numbers[0]).toBeGreaterThan(1000);
    expect(numbers[1]).toBeGreaterThan(numbers[0] as number);
    await fillCart(open(), customer, [[book, 1]]);
    expect((await refusalOf(placeOrder(open(), customer, { total: 10, number: 5 }))).code).toBe("428C9");
    await open().query("delete from public.cart_items where user_id = $1", [customer.id]);
  });

  test("uses exactly the customer's own cart lines", async () => {
    const book = await addBook(open(), { price: 10, stock: 9 });
    await fillCart(open(), other, [[book, 4]]);
    const orderId = await order(open(), customer, [[book, 1]]);
    expect(await linesOf(orderId)).toEqual([{ title: book.title, quantity: 1, price: 10 }]);
    expect(await cartOf(other)).toEqual([{ book_id: book.id, quantity: 4 }]);
    await open().query("delete from public.cart_items where user_id = $1", [other.id]);
  });

  test("responds to a retry with the same id with 23505, and orders once", async () => {
    const book = await addBook(open(), { price: 10, stock: 9 });
    await fillCart(open(), customer, [[book, 1]]);
    const id = randomUUID();
    await placeOrder(open(), customer, { id, total: 10 });
    expect((await refusalOf(placeOrder(open(), customer, { id, total: 10 }))).code).toBe("23505");
    await fillCart(open(), customer, [[book, 1]]);
    expect((await refusalOf(placeOrder(open(), customer, { id, total: 10 }))).code).toBe("23505");
    expect(await stockOf(open(), book)).toBe(8);
    await open().query("delete from public.cart_items where user_id = $1", [customer.id]);
  });

  test("makes one order of ten parallel inserts with the same id", async () => {
    const book = await addBook(open(), { price: 10, stock: 9 });
    await fillCart(open(), customer, [[book, 2]]);
    const id = randomUUID();
    const attempts = await Promise.allSettled(
      Array.from({ length: 10 }, () => placeOrder(open(), customer, { id, total: 20 })),
    );
    expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const attempt of attempts) {
      if (attempt.status === "rejected") expect(attempt.reason.code).toBe("23505");
    }
    expect(await stockOf(open(), book)).toBe(7);
    expect(await linesOf(id)).toHaveLength(1);
  });

  test("makes one order of two tabs that place the same cart", async () => {
    const book = await addBook(open(), { price: 10, stock: 9 });
    await fillCart(open(), customer, [[book, 2]]);
    const attempts = await Promise.allSettled([
      placeOrder(open(), customer, { total: 20 }),
      placeOrder(open(), customer, { total: 20 }),
    ]);
    expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const refused = attempts.find(({ status }) => status === "rejected") as PromiseRejectedResult;
    expect(JSON.parse(refused.reason.detail)).toEqual({ code: "cart_empty" });
    expect(await stockOf(open(), book)).toBe(7);
  });

  test("sells the last copy once to fifty customers at the same time", async () => {
    const book = await addBook(open(), { price: 10, stock: 1 });
    const crowd = await Promise.all(Array.from({ length: 50 }, () => addCustomer(open())));
    for (const person of crowd) await fillCart(open(), person, [[book, 1]]);
    const attempts = await Promise.allSettled(
      crowd.map((person) => placeOrder(open(), person, { total: 10 })),
    );
    expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const attempt of attempts) {
      if (attempt.status === "rejected") expect(attempt.reason.code).toBe("PT409");
    }
    expect(await stockOf(open(), book)).toBe(0);
    expect(await movementsOf(open(), book)).toEqual(["-1 order"]);
  });

  test("stays consistent while books are deleted at random: no deadlock, no wrong total, no order without lines", {
    tags: "long",
  }, async () => {
    const books = await Promise.all(
      Array.from({ length: 24 }, (_, i) => addBook(open(), { price: 10 + i, stock: 500 })),
    );
    const people = await Promise.all(Array.from({ length: 44 }, () => addCustomer(open())));
    let seed = 20261101;
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return Math.floor((seed / 2147483648) * below);
    };
    let attempts = 0;
    const doomed = [3, 7, 11, 15, 19, 22, 23];
    const journeys = people.map(async (person) => {
      const codes: string[] = [];
      for (let round = 0; round < 10; round++) {
        if (++attempts % 60 === 0) {
          await open().query("delete from public.books where id = $1", [books[doomed.pop() ?? 0]?.id]);
        }
        const chosen = new Set([random(24), random(24), random(24), random(24)]);
        try {
          const total = await open().as(person, async (query) => {
            for (const i of chosen) await query("select public.add_to_cart($1, 1)", [books[i]?.id]);
            const [cart] = await query<{ total: number }>(
              "select sum(c.quantity * b.price)::float8 as total from public.cart_items c join public.books b on b.id = c.book_id",
            );
            return cart?.total ?? 0;
          });
          await placeOrder(open(), person, { total });
          codes.push("placed");
        } catch (error) {
          codes.push((error as { code: string }).code);
        }
      }
      return codes;
    });
    const codes = (await Promise.all(journeys)).flat();

    const kinds = new Set(codes);
    expect([...kinds].filter((code) => !["placed", "PT409", "PT404", "23503"].includes(code))).toEqual([]);
    expect(codes.filter((code) => code === "placed").length).toBeGreaterThan(100);
    const wrong = await open().query(
      `select o.id from public.orders o left join public.order_items i on i.order_id = o.id
       group by o.id having sum(i.price * i.quantity) is distinct from o.total_amount`,
    );
    expect(wrong).toEqual([]);
    expect(
      await open().query("select id from public.books where id = any ($1::uuid[])", [
        books.map(({ id }) => id),
      ]),
    ).toHaveLength(17);
    const oversold = await open().query(
      `select b.id from public.books b
       where b.id = any ($1::uuid[]) and b.stock_quantity <> 500 + (
         select coalesce(sum(quantity), 0) from public.stock_movements m where m.book_id = b.id)`,
      [books.map(({ id }) => id)],
    );
    expect(oversold).toEqual([]);
  });

  test("refuses a price that has since changed, says what everything costs now, and keeps the cart", async () => {
    const book = await addBook(open(), { title: "Dearer now", price: 10, stock: 9 });
    await fillCart(open(), customer, [[book, 2]]);
    await open().query("update public.books set price = 12.25 where id = $1", [book.id]);
    const refusal = await refusalOf(placeOrder(open(), customer, { total: 20 }));
    expect(refusal.code).toBe("PT409");
    expect(refusal.detail).toEqual({
      code: "total_changed",
      total: 24.5,
      delivery_fee: 0,
      lines: [{ book_id: book.id, title: "Dearer now", price: 12.25, quantity: 2 }],
    });
    expect(await cartOf(customer)).toEqual([{ book_id: book.id, quantity: 2 }]);
    expect(await stockOf(open(), book)).toBe(9);
    await open().query("delete from public.cart_items where user_id = $1", [customer.id]);
  });

  test("refuses more than is left, and names the titles and how many are left", async () => {
    const scarce = await addBook(open(), { title: "Scarce", price: 10, stock: 1 });
    const deleted = await addBook(open(), { title: "Gone", price: 5, stock: 0 });
    const plenty = await addBook(open(), { title: "Plenty", price: 1, stock: 99 });
    await fillCart(open(), customer, [
      [scarce, 3],
      [deleted, 1],
      [plenty, 2],
    ]);
    const refusal = await refusalOf(placeOrder(open(), customer, { total: 37 }));
    expect(refusal).toEqual({
      code: "PT409",
      message: "Not enough in stock: Gone (0 left), Scarce (1 left).",
      detail: {
        code: "insufficient_stock",
        lines: [
          { book_id: deleted.id, title: "Gone", requested: 1, left: 0 },
          { book_id: scarce.id, title: "Scarce", requested: 3, left: 1 },
        ],
      },
    });
    expect(await cartOf(customer)).toHaveLength(3);
    await open().query("delete from public.cart_items where user_id = $1", [customer.id]);
  });

  test("refuses without changing the catalogue's version, which would render every page again", async () => {
    const version = async () =>
      (await open().query<{ n: number }>("select public.catalogue_version() as n"))[0]?.n;
    const [few, none] = [
      await addBook(open(), { price: 1, stock: 5 }),
      await addBook(open(), { price: 1, stock: 0 }),
    ];
    await fillCart(open(), customer, [
      [few, 1],
      [none, 1],
    ]);
    const before = await version();
    expect((await refusalOf(placeOrder(open(), customer, { total: 2 }))).detail).toMatchObject({
      code: "insufficient_stock",
    });
    expect(await version()).toBe(before);
    await open().query("delete from public.cart_items where user_id = $1", [customer.id]);
  });

  test("refuses a forged total, an empty cart, a forged status and a forged customer", async () => {
    const book = await addBook(open(), { price: 10, stock: 9 });
    await fillCart(open(), customer, [[book, 1]]);
    const details = [];
    for (const forged of [
      { total: 0.01 },
      { total: 0 },
      { total: 10, status: "delivered" },
      { total: 10, status: null },
      { total: 10, user_id: other.id },
      { total: 10, user_id: null },
      { total: -10 },
      { total: 10, shipping_address: "x".repeat(1001) },
      { total: 10, recipient_phone: "0".repeat(41) },
    ]) {
      const { code, detail } = await refusalOf(placeOrder(open(), customer, forged));
      details.push(`${code} ${detail?.code} ${detail?.field ?? ""}`.trim());
    }
    expect(details).toEqual([
      "PT409 total_changed",
      "PT409 total_changed",
      "PT403 order_not_pending",
      "PT403 order_not_pending",
      "PT403 order_not_yours",
      "PT403 order_not_yours",
      "PT400 invalid_field total_amount",
      "PT400 invalid_field shipping_address",
      "PT400 invalid_field recipient_phone",
    ]);
    await open().query("delete from public.cart_items where user_id = $1", [customer.id]);
    expect((await refusalOf(placeOrder(open(), customer, { total: 0 }))).detail).toEqual({
      code: "cart_empty",
    });
  });

  test("lets no one send the columns that the database maintains", async () => {
    for (const column of ["stock_held", "created_at", "updated_at"]) {
      const value = column === "stock_held" ? "false" : "now()";
      const attempt = open().as(customer, (query) =>
        query(`insert into public.orders (user_id, total_amount, ${column}) values ($1, 1, ${value})`, [
          customer.id,
        ]),
      );
      expect((await refusalOf(attempt)).code).toBe("42501");
    }
    const asVisitor = open().as(visitor, (query) =>
      query("insert into public.orders (user_id, total_amount) values ($1, 1)", [customer.id]),
    );
    expect((await refusalOf(asVisitor)).code).toBe("42501");
  });

  test("refuses two orders in one request: the first takes the whole cart", async () => {
    const book = await addBook(open(), { price: 10, stock: 9 });
    await fillCart(open(), customer, [[book, 1]]);
    const attempt = open().as(customer, (query) =>
      query("insert into public.orders (user_id, total_amount) values ($1, 10), ($1, 0)", [customer.id]),
    );
    expect((await refusalOf(attempt)).detail).toEqual({ code: "cart_empty" });
    expect(await stockOf(open(), book)).toBe(9);
    await open().query("delete from public.cart_items where user_id = $1", [customer.id]);
  });

  test("ignores lines that a client sends again, and refuses any others", async () => {
    const book = await addBook(open(), { price: 10, stock: 9 });
    const unordered = await addBook(open(), { price: 10, stock: 9 });
    const orderId = await order(open(), customer, [[book, 2]]);
    const insert = (person: SignedIn, bookId: string, quantity: number, price: number) =>
      open().as(person, (query) =>
        query("insert into public.order_items (order_id, book_id, quantity, price) values ($1, $2, $3, $4)", [
          orderId,
          bookId,
          quantity,
          price,
        ]),
      );
    await insert(customer, book.id, 2, 10);
    const forgeries: Parameters<typeof insert>[] = [
      [customer, unordered.id, 1, 10],
      [customer, book.id, 3, 10],
      [customer, book.id, 2, 1],
      [other, book.id, 2, 10],
    ];
    for (const forged of forgeries) {
      expect((await refusalOf(insert(...forged))).detail).toEqual({ code: "order_item_refused" });
    }
    expect(await linesOf(orderId)).toEqual([{ title: book.title, quantity: 2, price: 10 }]);
  });

  test("stops at twenty orders an hour, says when to retry, and still recognises a repeated request", async () => {
    const eager = await addCustomer(open());
    const book = await addBook(open(), { price: 1, stock: 99 });
    const ids: string[] = [];
    for (let i = 0; i < 20; i++) ids.push(await order(open(), eager, [[book, 1]]));
    const refusal = await refusalOf(order(open(), eager, [[book, 1]]));
    expect(refusal.code).toBe("PT429");
    expect(refusal.detail).toMatchObject({ code: "too_many_orders", limit: 20 });
    expect(refusal.detail?.retry_after_seconds).toBeGreaterThan(3500);
    expect(refusal.detail?.retry_after_seconds).toBeLessThanOrEqual(3600);
    expect((await refusalOf(placeOrder(open(), eager, { id: ids[0], total: 1 }))).code).toBe("23505");
    expect(await stockOf(open(), book)).toBe(79);

    await open().query(
      "update public.orders set created_at = created_at - interval '61 minutes' where user_id = $1",
      [eager.id],
    );
    await placeOrder(open(), eager, { total: 1 });
  });

  test("stops at fifty pending orders", async () => {
    const eager = await addCustomer(open());
    const book = await addBook(open(), { price: 1, stock: 99 });
    await open().query(
      `insert into public.orders (user_id, total_amount, created_at)
       select $1, 1, now() - interval '2 days' from generate_series(1, 50)`,
      [eager.id],
    );
    const refusal = await refusalOf(order(open(), eager, [[book, 1]]));
    expect(refusal).toMatchObject({ code: "PT429", detail: { code: "too_many_pending_orders", limit: 50 } });
    await open().query(
      "update public.orders set status = 'processing' where id = (select id from public.orders where user_id = $1 limit 1)",
      [eager.id],
    );
    await placeOrder(open(), eager, { total: 1 });
  });
});
