import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { addBook, addCustomer, fillCart } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";

describeDatabase("A bulk order", (open) => {
  const add = (person: SignedIn, lines: [book: { id: string | null } | null, quantity: number | null][]) =>
    open().as(person, (query) =>
      query("select added, problem from public.add_books_to_cart($1::uuid[], $2::int[])", [
        lines.map(([book]) => book?.id ?? null),
        lines.map(([, quantity]) => quantity),
      ]),
    );
  const cartOf = (person: SignedIn) =>
    open().query(
      "select b.title, c.quantity from public.cart_items c join public.books b on b.id = c.book_id where c.user_id = $1 order by c.created_at",
      [person.id],
    );

  test("is added by one call, which keeps the order and says what it could not add", async () => {
    const customer = await addCustomer(open());
    const [plenty, few, none, existing] = await Promise.all([
      addBook(open(), { title: "B plenty", stock: 50 }),
      addBook(open(), { title: "A few", stock: 3 }),
      addBook(open(), { title: "C none", stock: 0 }),
      addBook(open(), { title: "D known", stock: 2000 }),
    ]);
    await fillCart(open(), customer, [[existing, 990]]);
    const deleted = { id: randomUUID() };
    expect(
      await add(customer, [
        [plenty, 40],
        [few, 5],
        [none, 1],
        [deleted, 1],
        [existing, 10],
      ]),
    ).toEqual([
      { added: 40, problem: null },
      { added: 5, problem: "few_left" },
      { added: 0, problem: "out_of_stock" },
      { added: 0, problem: "not_sold" },
      { added: 9, problem: "too_many" },
    ]);
    expect(await cartOf(customer)).toEqual([
      { title: "D known", quantity: 999 },
      { title: "B plenty", quantity: 40 },
      { title: "A few", quantity: 5 },
    ]);
  });

  test("has 1 to 500 different books, and 1 to 999 copies of each", async () => {
    const customer = await addCustomer(open());
    const book = await addBook(open());
    const others = Array.from({ length: 501 }, () => [{ id: randomUUID() }, 1] as [{ id: string }, number]);
    const cases: [typeof others | [null, number][] | [{ id: string }, number | null][], code: string][] = [
      [[], "invalid_rows"],
      [others, "invalid_rows"],
      [[[null, 1]], "invalid_rows"],
      [
        [
          [book, 1],
          [book, 2],
        ],
        "invalid_rows",
      ],
      ...[0, -1, 1000, null].map((quantity) => [[[book, quantity]], "invalid_field"] as never),
    ];
    for (const [lines, code] of cases)
      expect(await refusalOf(add(customer, lines as never))).toMatchObject({
        code: "PT400",
        detail: { code },
      });
    for (const quantities of ["null", "array[1, 2]", "array[[1]]"]) {
      const attempt = open().as(customer, (query) =>
        query(`select public.add_books_to_cart(array[$1]::uuid[], ${quantities}::int[])`, [book.id]),
      );
      expect(await refusalOf(attempt)).toMatchObject({ code: "PT400", detail: { code: "invalid_rows" } });
    }
    expect(await add(customer, others.slice(0, 500))).toHaveLength(500);
    expect(await cartOf(customer)).toEqual([]);
  });
});
