import { beforeAll, expect, test } from "vitest";
import { expectSerial, type Request, type Scene, send } from "#tests/support/at-once.ts";
import {
  addBook,
  addCustomer,
  addStaff,
  fillCart,
  order,
  type TestBook,
} from "#tests/support/database-factories.ts";
import { describeOnOwnServerToo } from "#tests/support/describe-database.ts";
import type { SignedIn } from "#tests/support/people.ts";

describeOnOwnServerToo("Two concurrent requests", (open) => {
  let admin: SignedIn;
  let other: SignedIn;
  beforeAll(async () => {
    [admin, other] = [await addStaff(open(), "admin"), await addStaff(open(), "admin")];
  });

  const rowsOf = async (sql: string, values: unknown[]) => open().query(sql, values);
  const seeOrder = (id: string, book: TestBook) => async () => [
    await rowsOf("select status, stock_held from public.orders where id = $1", [id]),
    await rowsOf("select stock_quantity from public.books where id = $1", [book.id]),
    await rowsOf("select from_status, to_status from public.order_events where order_id = $1 order by id", [
      id,
    ]),
    await rowsOf("select sum(quantity)::int as moved from public.stock_movements where book_id = $1", [
      book.id,
    ]),
  ];
  const set = (person: SignedIn, id: string, status: string): Request => [
    person,
    "update public.orders set status = $2 where id = $1 returning id",
    [id, status],
  ];
  const removeOrder = (person: SignedIn, id: string): Request => [
    person,
    "delete from public.orders where id = $1 returning id",
    [id],
  ];
  const restoreOrder = (person: SignedIn, id: string): Request => [
    person,
    "select public.restore_order($1)",
    [id],
  ];
  const removeBook = (person: SignedIn, { id }: TestBook): Request => [
    person,
    "delete from public.books where id = $1 returning id",
    [id],
  ];

  type Ordered = { id: string; customer: SignedIn; book: TestBook };
  async function newOrder(): Promise<Ordered> {
    const [customer, book] = [await addCustomer(open()), await addBook(open(), { stock: 10 })];
    return { customer, book, id: await order(open(), customer, [[book, 4]]) };
  }
  const onOneOrder: [
    title: string,
    make: (ordered: Ordered) => Scene["requests"],
    answers: [string, string][],
    before?: (ordered: Ordered) => Promise<unknown>,
  ][] = [
    [
      "set two statuses",
      ({ id }) => [set(admin, id, "shipped"), set(other, id, "processing")],
      [
        ["done", "done"],
        ["done", "done"],
      ],
    ],
    [
      "cancel and deliver, both as admins",
      ({ id }) => [set(admin, id, "cancelled"), set(other, id, "delivered")],
      [
        ["done", "done"],
        ["done", "done"],
      ],
    ],
    [
      "cancel as its customer and deliver as an admin",
      ({ id, customer }) => [set(customer, id, "cancelled"), set(admin, id, "delivered")],
      [
        ["done", "done"],
        ["nothing", "done"],
      ],
    ],
    [
      "cancel and delete",
      ({ id, customer }) => [set(customer, id, "cancelled"), removeOrder(admin, id)],
      [
        ["done", "done"],
        ["nothing", "done"],
      ],
    ],
    [
      "delete twice",
      ({ id }) => [removeOrder(admin, id), removeOrder(other, id)],
      [
        ["done", "nothing"],
        ["nothing", "done"],
      ],
    ],
    [
      "restore twice",
      ({ id }) => [restoreOrder(admin, id), restoreOrder(other, id)],
      [
        ["done", "already_restored"],
        ["already_restored", "done"],
      ],
      ({ id }) => send(open(), removeOrder(admin, id)),
    ],
    [
      "delete and restore",
      ({ id }) => [removeOrder(admin, id), restoreOrder(other, id)],
      [
        ["done", "done"],
        ["done", "already_restored"],
      ],
      async ({ id }) => {
        await send(open(), removeOrder(admin, id));
        await send(open(), restoreOrder(admin, id));
      },
    ],
    [
      "return to stock twice",
      ({ id }) => [
        [admin, "select public.return_to_stock($1)", [id]],
        [other, "select public.return_to_stock($1)", [id]],
      ],
      [
        ["done", "nothing_to_return"],
        ["nothing_to_return", "done"],
      ],
      ({ id }) => send(open(), set(admin, id, "shipped")),
    ],
  ];

  test.each(onOneOrder)(
    "that %s, on one order, have the same result as one after the other",
    async (_, requests, answers, before) => {
      const make = async () => {
        const ordered = await newOrder();
        await before?.(ordered);
        return { requests: requests(ordered), see: seeOrder(ordered.id, ordered.book) };
      };
      expect(await expectSerial(open(), make)).toEqual(answers);
    },
  );

  async function newBuyer(quantity: number, stock: number) {
    const [customer, book] = [await addCustomer(open()), await addBook(open(), { price: 5, stock })];
    await fillCart(open(), customer, [[book, quantity]]);
    const buy: Request = [
      customer,
      "insert into public.orders (user_id, total_amount, status) values ($1, $2, 'pending') returning id",
      [customer.id, 5 * quantity],
    ];
    const see = async () => [
      await rowsOf("select stock_quantity, price from public.books where id = $1", [book.id]),
      await rowsOf("select total_amount, status from public.orders where user_id = $1", [customer.id]),
    ];
    return { customer, book, buy, see };
  }

  test.each<[string, (book: TestBook) => Request, [string, string][]]>([
    [
      "a smaller stock",
      ({ id }) => [admin, "update public.books set stock_quantity = 3 where id = $1 returning id", [id]],
      [
        ["done", "insufficient_stock"],
        ["done", "done"],
      ],
    ],
    [
      "another price",
      ({ id }) => [admin, "update public.books set price = 6 where id = $1 returning id", [id]],
      [
        ["done", "total_changed"],
        ["done", "done"],
      ],
    ],
    [
      "the book's deletion",
      (book) => removeBook(admin, book),
      [
        ["done", "cart_empty"],
        ["done", "done"],
      ],
    ],
  ])(
    "for %s and for an order of it have the same result as one after the other",
    async (_, edit, answers) => {
      const make = async () => {
        const { book, buy, see } = await newBuyer(5, 10);
        return { requests: [edit(book), buy], see } satisfies Scene;
      };
      expect(await expectSerial(open(), make)).toEqual(answers);
    },
  );

  test("two admins who delete and restore a book get the same result as one after the other", async () => {
    const make = async (): Promise<Scene> => {
      const book = await addBook(open(), { stock: 7 });
      await send(open(), removeBook(admin, book));
      const [deletion] = await open().query<{ id: string }>(
        "select id from public.audit_log where row_id = $1 and action = 'delete'",
        [book.id],
      );
      const restore = (person: SignedIn): Request => [
        person,
        "select public.restore_book($1)",
        [deletion?.id],
      ];
      await send(open(), restore(admin));
      return {
        requests: [removeBook(admin, book), restore(other)],
        see: () => rowsOf("select stock_quantity from public.books where id = $1", [book.id]),
      };
    };
    const answers = await expectSerial(open(), make);
    expect(answers[1]).toEqual(["done", "already_restored"]);
  });
});
