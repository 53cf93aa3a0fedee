import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { addBook, addCustomer, addStaff, order, placeOrder } from "#tests/support/database-factories.ts";
import { describeOnOwnServerToo } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";

type Added = { wanted: number; added: number; problem: string | null };

describeOnOwnServerToo("Adding many books to a cart with the same request id", (open) => {
  const addBooks = (person: SignedIn, books: { id: string }[], requestId: string | null, copies = 2) =>
    open().as(person, (query) =>
      query<Added>("select added, problem from public.add_books_to_cart($1, $2, $3)", [
        books.map(({ id }) => id),
        books.map(() => copies),
        requestId,
      ]),
    );
  const quantitiesOf = async (person: SignedIn) =>
    (
      await open().query<{ quantity: number }>(
        "select quantity from public.cart_items where user_id = $1 order by quantity",
        [person.id],
      )
    ).map(({ quantity }) => quantity);
  const storedFor = async (person: SignedIn) =>
    (await open().query("select from private.cart_requests where user_id = $1", [person.id])).length;

  test("20 concurrent calls with the same request id add the books once and return the same", async () => {
    const person = await addCustomer(open());
    const [plenty, few] = [await addBook(open(), { stock: 50 }), await addBook(open(), { stock: 1 })];
    const requestId = randomUUID();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => addBooks(person, [few, plenty], requestId)),
    );
    for (const outcome of outcomes)
      expect(outcome).toEqual([
        { added: 2, problem: "few_left" },
        { added: 2, problem: null },
      ]);
    expect(await quantitiesOf(person)).toEqual([2, 2]);
  });

  test("request ids are per customer, and a call with another id or none adds again", async () => {
    const [person, other] = [await addCustomer(open()), await addCustomer(open())];
    const book = await addBook(open(), { stock: 50 });
    const requestId = randomUUID();
    await addBooks(person, [book], requestId);
    await addBooks(other, [book], requestId);
    expect([await quantitiesOf(person), await quantitiesOf(other)]).toEqual([[2], [2]]);
    for (const id of [randomUUID(), null, null]) await addBooks(person, [book], id);
    expect(await quantitiesOf(person)).toEqual([8]);
  });

  test("a customer's five newest request ids are stored, and deleted with the customer", async () => {
    const person = await addCustomer(open());
    const book = await addBook(open(), { stock: 999 });
    const ids = Array.from({ length: 8 }, () => randomUUID());
    for (const id of ids) await addBooks(person, [book], id, 1);
    await addBooks(person, [book], ids.at(-5) ?? null, 1);
    expect([await quantitiesOf(person), await storedFor(person)]).toEqual([[8], 5]);
    await open().query("select public.anonymise_customer($1)", [person.id]);
    expect(await storedFor(person)).toBe(0);
  });

  test("a request id of more than 100 characters is refused", async () => {
    const person = await addCustomer(open());
    const book = await addBook(open(), { stock: 50 });
    expect(await addBooks(person, [book], "x".repeat(100))).toEqual([{ added: 2, problem: null }]);
    expect((await refusalOf(addBooks(person, [book], "x".repeat(101)))).detail).toMatchObject({
      code: "invalid_field",
      field: "request_id",
    });
    expect(await quantitiesOf(person)).toEqual([2]);
  });

  test("a refused call adds nothing and doesn't store its request id", async () => {
    const person = await addCustomer(open());
    const book = await addBook(open(), { stock: 50 });
    const requestId = randomUUID();
    await expect(addBooks(person, [book], requestId, 0)).rejects.toThrow();
    await addBooks(person, [book], requestId);
    expect(await quantitiesOf(person)).toEqual([2]);
  });

  test("a repeated call adds a booklist's lines once and counts them once as its sales", async () => {
    const person = await addCustomer(open());
    const admin = await addStaff(open(), "admin");
    const book = await addBook(open(), { price: 10, stock: 50 });
    const list = await open().as(admin, async (query) => {
      const [draft] = await query<{ id: string; code: string }>(
        "select id, code from public.save_booklist('Hilltop School', 'Class 4', '2026/2027', $1::jsonb)",
        [[{ book_id: book.id }]],
      );
      await query(
        "select public.set_booklist_status(id, updated_at, 'published') from public.booklists where id = $1",
        [draft?.id],
      );
      return draft;
    });
    const lines = await open().query<{ id: string }>(
      "select id from public.booklist_lines where booklist_id = $1",
      [list?.id],
    );
    const requestId = randomUUID();
    const add = (id: string | null) =>
      open().as(person, (query) =>
        query<Added>("select wanted, added, problem from public.add_booklist_to_cart($1, $2, 3, $3)", [
          list?.code,
          lines.map((line) => line.id),
          id,
        ]),
      );
    for (let n = 0; n < 3; n += 1)
      expect(await add(requestId)).toEqual([{ wanted: 3, added: 3, problem: null }]);
    expect(await quantitiesOf(person)).toEqual([3]);
    await add(null);
    await open().query("update public.cart_items set quantity = 20 where user_id = $1", [person.id]);
    await placeOrder(open(), person, { total: 200 });
    const [sales] = await open().as(admin, (query) =>
      query("select copies from public.admin_list_booklist_sales($1) where line_id is null", [list?.id]),
    );
    expect(sales).toEqual({ copies: 6 });
  });

  test("a repeated call to order again adds the books once", async () => {
    const person = await addCustomer(open());
    const book = await addBook(open(), { stock: 50 });
    const id = await order(open(), person, [[book, 4]]);
    const requestId = randomUUID();
    const again = () =>
      open().as(person, (query) =>
        query<Added>("select wanted, added, problem from public.order_again($1, $2)", [id, requestId]),
      );
    expect([await again(), await again()]).toEqual([
      [{ wanted: 4, added: 4, problem: null }],
      [{ wanted: 4, added: 4, problem: null }],
    ]);
    expect(await quantitiesOf(person)).toEqual([4]);
  });
});
