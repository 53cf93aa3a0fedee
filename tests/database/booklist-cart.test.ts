import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { MAX_CHILDREN } from "#app/features/booklists/booklist.ts";
import type { Person, Row } from "#tests/support/database.ts";
import {
  addBook,
  addCustomer,
  addStaff,
  deliverOrders,
  fillCart,
  placeOrder,
  type TestBook,
} from "#tests/support/database-factories.ts";
import { describeOnOwnServerToo } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn, visitor } from "#tests/support/people.ts";

type Added = { line_id: string; title: string; wanted: number; added: number; problem: string | null };
type Listed = { id: string; code: string; lines: { id: string; title: string }[] };

describeOnOwnServerToo("Booklists and the cart", (open) => {
  let admin: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
  });

  const published = async (lines: Row[]): Promise<Listed> =>
    open().as(admin, async (query) => {
      const [list] = await query<{ id: string; code: string }>(
        "select id, code from public.save_booklist('Hilltop School', 'Class 4', '2026/2027', $1::jsonb)",
        [lines],
      );
      if (!list) throw new Error("No list came back.");
      await query(
        "select public.set_booklist_status(id, updated_at, 'published') from public.booklists where id = $1",
        [list.id],
      );
      const ids = await query<{ id: string; title: string }>(
        "select id, title from public.booklist_lines where booklist_id = $1 order by position",
        [list.id],
      );
      return { ...list, lines: ids };
    });
  const add = (person: Person, list: Listed, children = 1, lines = list.lines) =>
    open().as(person, (query) =>
      query<Added>("select * from public.add_booklist_to_cart($1, $2, $3)", [
        list.code,
        lines.map(({ id }) => id),
        children,
      ]),
    );
  const cartOf = async (person: SignedIn) =>
    Object.fromEntries(
      (
        await open().query<{ title: string; quantity: number }>(
          "select b.title, c.quantity from public.cart_items c join public.books b on b.id = c.book_id where user_id = $1",
          [person.id],
        )
      ).map(({ title, quantity }) => [title, quantity]),
    );

  test("one call adds everything that fits and says what did not and why", async () => {
    const customer = await addCustomer(open());
    const book = (title: string, stock: number) =>
      addBook(open(), { title: `${title} ${randomUUID()}`, stock });
    const plenty = await book("Plenty", 5_000);
    const few = await book("Few", 5);
    const none = await book("None", 0);
    const many = await book("Many", 5_000);
    const notChosen = await book("Not chosen", 5);
    const list = await published([
      { book_id: plenty.id, copies: 2 },
      { book_id: few.id, copies: 1 },
      { book_id: none.id },
      { title: "A ruler" },
      { book_id: many.id, copies: 40 },
      { book_id: notChosen.id },
    ]);
    const outcome = await add(customer, list, 30, list.lines.slice(0, 5));
    expect(outcome.map(({ wanted, added, problem }) => [wanted, added, problem])).toEqual([
      [60, 60, null],
      [30, 30, "few_left"],
      [30, 0, "out_of_stock"],
      [30, 0, "not_sold"],
      [1_200, 999, "too_many"],
    ]);
    expect(await cartOf(customer)).toEqual({ [plenty.title]: 60, [few.title]: 30, [many.title]: 999 });

    const again = await add(customer, list, 30, list.lines.slice(0, 2));
    expect(again.map(({ added, problem }) => [added, problem])).toEqual([
      [60, null],
      [30, "few_left"],
    ]);
    expect(await cartOf(customer)).toMatchObject({ [plenty.title]: 120, [few.title]: 60 });
  });

  test("everything is added once from several tabs at the same time, and running out of stock is reported", async () => {
    const customer = await addCustomer(open());
    const book = await addBook(open(), { stock: 10 });
    const list = await published([{ book_id: book.id }]);
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => add(customer, list, 3)));
    expect(outcomes.map(([line]) => line?.problem).toSorted()).toEqual([
      ...Array(3).fill("few_left"),
      ...Array(3).fill(null),
    ]);
    expect(await cartOf(customer)).toEqual({ [book.title]: 18 });
  });

  test("the same rule holds for one book at a time and for many", async () => {
    const customer = await addCustomer(open());
    const book = await addBook(open(), { stock: 3 });
    const one = await open().as(customer, (query) =>
      query<{ quantity: number }>("select quantity from public.add_to_cart($1, 5)", [book.id]),
    );
    expect(one).toEqual([{ quantity: 5 }]);
    const list = await published([{ book_id: book.id, copies: 2 }]);
    expect(await add(customer, list)).toMatchObject([{ wanted: 2, added: 2, problem: "few_left" }]);
    expect(await cartOf(customer)).toEqual({ [book.title]: 7 });
  });

  test("a full cart takes more of what it holds and no further titles", async () => {
    const customer = await addCustomer(open());
    const [held, fits, over] = [await addBook(open()), await addBook(open()), await addBook(open())];
    await fillCart(open(), customer, [[held, 1]]);
    await open().query(
      `with filler as (insert into public.books (title, price, stock_quantity)
         select 'Filler ' || n, 1, 1 from generate_series(1, 998) as n returning id)
       insert into public.cart_items (user_id, book_id) select $1, id from filler`,
      [customer.id],
    );
    const list = await published([{ book_id: fits.id }, { book_id: over.id }, { book_id: held.id }]);
    expect((await add(customer, list)).map(({ added, problem }) => [added, problem])).toEqual([
      [1, null],
      [0, "cart_full"],
      [1, null],
    ]);
  });

  test("is for signed-in customers, published lists, lines of the list and 1 to 999 children", async () => {
    const customer = await addCustomer(open());
    const list = await published([{ book_id: (await addBook(open())).id }]);
    const other = await published([{ book_id: (await addBook(open())).id }]);
    expect((await refusalOf(add(visitor, list))).code).toBe("42501");
    for (const children of [0, -1, MAX_CHILDREN + 1])
      expect((await refusalOf(add(customer, list, children))).detail).toMatchObject({ field: "children" });
    expect(await add(customer, list, 1, other.lines)).toEqual([]);
    expect(await add(customer, list, 1, [])).toEqual([]);
    await open().query("update public.booklists set status = 'withdrawn' where id = $1", [list.id]);
    expect((await refusalOf(add(customer, list))).detail).toMatchObject({ code: "booklist_not_found" });
    expect(await cartOf(customer)).toEqual({});
  });

  const salesOf = (list: Listed) =>
    open().as(admin, (query) =>
      query(
        "select line_id, orders, copies, amount::float8 as amount from public.admin_list_booklist_sales($1)",
        [list.id],
      ),
    );
  const buy = async (customer: SignedIn, lines: [TestBook, number][]) => {
    const total = lines.reduce((sum, [book, quantity]) => sum + book.price * quantity, 0);
    return (await placeOrder(open(), customer, { total })).id;
  };

  test("what a list brought in counts its customers' later orders of its books, without cancelled ones", async () => {
    const [parent, stranger] = [await addCustomer(open()), await addCustomer(open())];
    const [maths, atlas] = [
      await addBook(open(), { price: 40, stock: 50 }),
      await addBook(open(), { price: 10, stock: 50 }),
    ];
    const list = await published([{ book_id: maths.id }, { book_id: atlas.id }]);
    const nothing = { line_id: null, orders: 0, copies: 0, amount: 0 };
    expect(await salesOf(list)).toEqual([nothing]);

    await fillCart(open(), stranger, [[maths, 1]]);
    await buy(stranger, [[maths, 1]]);
    await add(parent, list, 2);
    expect(await salesOf(list)).toEqual([nothing]);
    // One copy more than the list brought is the customer's own idea.
    await fillCart(open(), parent, [[maths, 1]]);
    await buy(parent, [
      [maths, 3],
      [atlas, 2],
    ]);
    await add(parent, list, 1, list.lines.slice(0, 1));
    const cancelled = await buy(parent, [[maths, 1]]);
    await open().as(parent, (query) =>
      query("update public.orders set status = 'cancelled' where id = $1", [cancelled]),
    );
    const [mathsLine, atlasLine] = list.lines;
    expect(await salesOf(list)).toEqual(
      expect.arrayContaining([
        { line_id: null, orders: 1, copies: 5, amount: 140 },
        { line_id: mathsLine?.id, orders: 1, copies: 3, amount: 120 },
        { line_id: atlasLine?.id, orders: 1, copies: 2, amount: 20 },
      ]),
    );

    await deliverOrders(open(), parent);
    await open().query("select public.anonymise_customer($1)", [parent.id]);
    expect(await salesOf(list)).toEqual([nothing]);
  });
});
