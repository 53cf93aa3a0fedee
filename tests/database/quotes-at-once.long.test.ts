import { beforeAll, expect, test } from "vitest";
import { expectSerial, type Request } from "#tests/support/at-once.ts";
import { addBook, addCustomer, addStaff, fillCart, stockOf } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import type { SignedIn } from "#tests/support/people.ts";
import { offerQuote, quoteOf } from "#tests/support/quotes.ts";

/* A school accepts a quote of 6 of 10 copies while something else happens to the quote or the stock. */
describeDatabase("Accepting a quote at the same moment", (open) => {
  let admin: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
  });

  type World = { customer: SignedIn; other: SignedIn; book: { id: string }; id: string; version: number };
  const accept = ({ customer, id, version }: World): Request => [
    customer,
    `select public.accept_quote($1, $2, 'PO', '{"shipping_address": "Accra", "recipient_name": "A teacher"}')`,
    [id, version],
  ];

  test.each<[name: string, other: (world: World) => Request | Promise<Request>, answers: string[][]]>([
    [
      "as accepting it in another tab",
      accept,
      [
        ["done", "done"],
        ["done", "done"],
      ],
    ],
    [
      "as staff change its price",
      ({ id, version, book }) => [
        admin,
        "select public.update_quote($1, $2, $3::jsonb)",
        [id, version, [{ book_id: book.id, quantity: 6, unit_price: 1 }]],
      ],
      [
        ["done", "quote_accepted"],
        ["quote_not_open", "done"],
      ],
    ],
    [
      "as staff withdraw it",
      ({ id, version }) => [admin, "select public.withdraw_quote($1, $2)", [id, version]],
      [
        ["done", "quote_accepted"],
        ["quote_not_open", "done"],
      ],
    ],
    [
      "as its customer declines it",
      ({ customer, id }) => [customer, "select public.decline_quote($1)", [id]],
      [
        ["done", "quote_not_open"],
        ["quote_not_open", "done"],
      ],
    ],
    [
      "as another customer orders 5 copies",
      ({ other }) => [
        other,
        "insert into public.orders (user_id, total_amount, status) values ($1, 50, 'pending') returning id",
        [other.id],
      ],
      [
        ["done", "insufficient_stock"],
        ["insufficient_stock", "done"],
      ],
    ],
    [
      "as staff count 3 copies",
      ({ book }) => [
        admin,
        "update public.books set stock_quantity = 3 where id = $1 returning id",
        [book.id],
      ],
      [
        ["done", "done"],
        ["insufficient_stock", "done"],
      ],
    ],
    [
      "as staff delete the book",
      ({ book }) => [admin, "delete from public.books where id = $1 returning id", [book.id]],
      [
        ["done", "done"],
        ["books_not_sold", "done"],
      ],
    ],
  ])("%s is as doing one after the other", async (_, other, answers) => {
    const found = await expectSerial(open(), async () => {
      const customer = await addCustomer(open());
      const buyer = await addCustomer(open());
      const book = await addBook(open(), { price: 10, stock: 10 });
      const offer = await offerQuote(open(), { customer, admin }, [[book, 6, 9]]);
      await fillCart(open(), buyer, [[book, 5]]);
      const world = { customer, other: buyer, book, ...offer };
      return {
        requests: [accept(world), await other(world)],
        see: async () => {
          const orders = await open().query(
            "select total_amount::float8 as total, status from public.orders where user_id = any ($1::uuid[])",
            [[customer.id, buyer.id]],
          );
          const { status, order_id } = await quoteOf(open(), world.id);
          return { stock: await stockOf(open(), book), status, hasOrder: order_id !== null, orders };
        },
      };
    });
    expect(found).toEqual(answers);
  });
});
