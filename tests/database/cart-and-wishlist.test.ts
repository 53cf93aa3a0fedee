import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { addBook, addCustomer, addStaff, type TestBook } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn, visitor } from "#tests/support/people.ts";

describeDatabase("Carts and wishlists", (open) => {
  let customer: SignedIn;
  let other: SignedIn;
  let admin: SignedIn;
  let book: TestBook;
  beforeAll(async () => {
    customer = await addCustomer(open());
    other = await addCustomer(open());
    admin = await addStaff(open(), "admin");
    book = await addBook(open(), { stock: 2 });
  });

  const cartOf = async (person: SignedIn) =>
    (
      await open().query("select book_id, quantity from public.cart_items where user_id = $1", [person.id])
    ).map(({ quantity }) => quantity);
  const add = (person: SignedIn, bookId: string, quantity: number | null) =>
    open().as(person, (query) =>
      query("select * from public.add_to_cart(_book_id => $1, _quantity => $2)", [bookId, quantity]),
    );

  test("adding from two tabs at the same time adds up, in one line", async () => {
    await Promise.all(Array.from({ length: 10 }, (_, i) => add(customer, book.id, i + 1)));
    expect(await cartOf(customer)).toEqual([55]);
    const [line] = await add(customer, book.id, 1);
    expect(line).toMatchObject({ user_id: customer.id, book_id: book.id, quantity: 56 });
  });

  test("the specified cart calls work: look up, insert, change, delete", async () => {
    const mine = await addBook(open());
    await open().as(other, async (query) => {
      expect(
        await query("select id from public.cart_items where user_id = $1 and book_id = $2", [
          other.id,
          mine.id,
        ]),
      ).toEqual([]);
      const [line] = await query(
        "insert into public.cart_items (user_id, book_id, quantity) values ($1, $2, 2) returning id",
        [other.id, mine.id],
      );
      await query("update public.cart_items set quantity = 5 where id = $1 and user_id = $2", [
        line?.id,
        other.id,
      ]);
      expect(await query("select quantity from public.cart_items where user_id = $1", [other.id])).toEqual([
        { quantity: 5 },
      ]);
      await query("delete from public.cart_items where id = $1 and user_id = $2", [line?.id, other.id]);
      expect(await query("select id from public.cart_items")).toEqual([]);
    });
  });

  test("a second line for the same book is refused with 23505", async () => {
    const attempt = open().as(customer, (query) =>
      query("insert into public.cart_items (user_id, book_id, quantity) values ($1, $2, 1)", [
        customer.id,
        book.id,
      ]),
    );
    expect((await refusalOf(attempt)).code).toBe("23505");
  });

  test("a quantity is 1 to 999, however it is written", async () => {
    const fresh = await addBook(open());
    for (const quantity of [0, -1, 1000, null]) {
      const refusal = await refusalOf(add(customer, fresh.id, quantity));
      expect(refusal).toMatchObject({
        code: "PT400",
        detail: { code: "invalid_field", field: "quantity", min: 1, max: 999 },
      });
    }
    await add(customer, fresh.id, 999);
    expect((await refusalOf(add(customer, fresh.id, 1))).code).toBe("PT400");
    const update = open().as(customer, (query) =>
      query("update public.cart_items set quantity = 1000 where book_id = $1", [fresh.id]),
    );
    expect((await refusalOf(update)).code).toBe("PT400");
  });

  test("a deleted book cannot be added", async () => {
    const id = randomUUID();
    expect(await refusalOf(add(customer, id, 1))).toMatchObject({
      code: "PT404",
      detail: { code: "book_not_found", book_id: id },
    });
  });

  test("no one sees or changes another's cart or wishlist, not even an admin", async () => {
    await open().as(customer, (query) =>
      query("insert into public.wishlists (user_id, book_id) values ($1, $2)", [customer.id, book.id]),
    );
    for (const person of [other, admin]) {
      for (const table of ["cart_items", "wishlists"]) {
        const touched = await open().as(person, async (query) => [
          ...(await query(`select id from public.${table} where user_id = $1`, [customer.id])),
          ...(await query(`delete from public.${table} where user_id = $1 returning id`, [customer.id])),
        ]);
        expect(touched).toEqual([]);
        const forged = open().as(person, (query) =>
          query(`insert into public.${table} (user_id, book_id) values ($1, $2)`, [customer.id, book.id]),
        );
        expect((await refusalOf(forged)).code).toMatch(/^42501|23505$/);
      }
      const update = await open().as(person, (query) =>
        query("update public.cart_items set quantity = 1 returning id"),
      );
      expect(update).toEqual([]);
    }
    for (const table of ["cart_items", "wishlists"]) {
      const read = open().as(visitor, (query) => query(`select * from public.${table}`));
      expect((await refusalOf(read)).code).toBe("42501");
    }
  });

  test("a book is on a wishlist at most once", async () => {
    const wish = () =>
      open().as(other, (query) =>
        query("insert into public.wishlists (user_id, book_id) values ($1, $2)", [other.id, book.id]),
      );
    await wish();
    expect((await refusalOf(wish())).code).toBe("23505");
    await open().as(other, (query) =>
      query("delete from public.wishlists where user_id = $1 and book_id = $2", [other.id, book.id]),
    );
    await wish();
  });

  test("a cart and a wishlist hold at most 1,000 books", async () => {
    const collector = await addCustomer(open());
    await open().query(
      "insert into public.books (title, price) select 'Collected ' || i, 1 from generate_series(1, 1000) i",
    );
    for (const table of ["cart_items", "wishlists"]) {
      await open().as(collector, (query) =>
        query(
          `insert into public.${table} (user_id, book_id) select $1, id from public.books where title like 'Collected%'`,
          [collector.id],
        ),
      );
      const oneMore = open().as(collector, (query) =>
        query(`insert into public.${table} (user_id, book_id) values ($1, $2)`, [collector.id, book.id]),
      );
      const code = table === "wishlists" ? "wishlist_full" : "cart_full";
      expect(await refusalOf(oneMore)).toMatchObject({ code: "PT429", detail: { code, limit: 1000 } });
    }
    const [existing] = await open().query("select id from public.books where title = 'Collected 7'");
    expect(await add(collector, String(existing?.id), 2)).toMatchObject([{ quantity: 3 }]);
  });
});
