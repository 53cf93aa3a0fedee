import type { Database, Query } from "#tests/support/database.ts";
import {
  addBook,
  addCustomer,
  addStaff,
  fillCart,
  type TestBook,
} from "#tests/support/database-factories.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";
import type { Action, Outcome } from "./stock-oracle.ts";

/** A shop of its own for one sequence, beside others in the same database. */
export type Shop = {
  database: Database;
  admin: SignedIn;
  customers: SignedIn[];
  books: (TestBook & { isbn: string })[];
};

const price = 1;
let isbns = 0;

export async function openShop(database: Database, stocks: number[]): Promise<Shop> {
  const books = [];
  for (const stock of stocks) {
    isbns += 1;
    const isbn = `SEARCH-${isbns}`;
    books.push({ ...(await addBook(database, { price, stock, isbn })), isbn });
  }
  const customers = [await addCustomer(database), await addCustomer(database)];
  return { database, admin: await addStaff(database, "admin"), customers, books };
}

const customerOf = (shop: Shop, { customer }: { customer: number }) => shop.customers[customer] as SignedIn;
const bookOf = (shop: Shop, { book }: { book: number }) => shop.books[book] as Shop["books"][number];

async function stageImport({ database, admin }: Shop, { title, isbn }: Shop["books"][number], stock: number) {
  return database.as(admin, async (query) => {
    const [made] = await query<{ id: string }>("select public.create_book_import(_sets_stock => true) as id");
    const row = { line: 2, title, isbn, price, stock_quantity: stock };
    await query("select public.stage_book_import_rows($1, $2::jsonb)", [made?.id, [row]]);
    return made?.id;
  });
}

async function findDeletion({ database }: Shop, id: string, deletion: number) {
  const [found] = await database.query<{ id: string }>(
    "select id from public.audit_log where row_id = $1 and action = 'delete' order by id offset $2 limit 1",
    [id, deletion - 1],
  );
  return found?.id ?? null;
}

/** The person and the one statement of a step; what a real client does in requests before is done here. */
async function prepare(shop: Shop, action: Action): Promise<[SignedIn, string, unknown[]]> {
  const { admin } = shop;
  switch (action.do) {
    case "place": {
      const customer = customerOf(shop, action);
      await fillCart(
        shop.database,
        customer,
        action.lines.map((line) => [bookOf(shop, line), line.quantity]),
      );
      const total = action.lines.reduce((sum, { quantity }) => sum + quantity * price, 0);
      return [
        customer,
        "insert into public.orders (id, user_id, total_amount, status) values ($1, $2, $3, 'pending') returning id",
        [action.id, customer.id, total],
      ];
    }
    case "set status":
      return [
        admin,
        "update public.orders set status = $2 where id = $1 returning id",
        [action.id, action.status],
      ];
    case "change order":
      return [
        admin,
        "select public.change_order($1, (select updated_at from public.orders where id = $1), $2, $3, $4)",
        [
          action.id,
          action.lines.map((line) => bookOf(shop, line).id),
          action.lines.map(({ quantity }) => quantity),
          action.lines.reduce((sum, { quantity }) => sum + quantity * price, 0),
        ],
      ];
    case "return":
      return [admin, "select public.return_to_stock($1)", [action.id]];
    case "delete order":
      return [admin, "delete from public.orders where id = $1 returning id", [action.id]];
    case "restore order":
      return [admin, "select public.restore_order($1)", [action.id]];
    case "delete book":
      return [admin, "delete from public.books where id = $1 returning id", [bookOf(shop, action).id]];
    case "restore book": {
      const deletion = await findDeletion(shop, bookOf(shop, action).id, action.deletion);
      return [admin, "select public.restore_book($1)", [deletion]];
    }
    case "count stock":
      return [
        admin,
        "update public.books set stock_quantity = $2 where id = $1 returning id",
        [bookOf(shop, action).id, action.stock],
      ];
    case "import stock":
      return [
        admin,
        "select public.apply_book_import($1)",
        [await stageImport(shop, bookOf(shop, action), action.stock)],
      ];
  }
}

async function outcomeOf(statement: Promise<unknown[]>): Promise<Outcome> {
  let rows: unknown[] = [];
  try {
    rows = await statement;
  } catch (error) {
    const { code, detail, message } = await refusalOf(Promise.reject(error));
    return String(detail?.code ?? `${code}: ${message}`);
  }
  return rows.length > 0 ? "done" : "nothing";
}

/** Takes the steps in the shop, all at the same time, and answers how each was answered. */
export async function perform(shop: Shop, actions: Action[]): Promise<Outcome[]> {
  const prepared = [];
  for (const action of actions) prepared.push(await prepare(shop, action));
  const outcomes = await Promise.all(
    prepared.map(([person, sql, values]) =>
      outcomeOf(shop.database.as(person, (query: Query) => query(sql, values))),
    ),
  );
  const ids = shop.customers.map(({ id }) => id);
  await shop.database.query("delete from public.cart_items where user_id = any ($1::uuid[])", [ids]);
  return outcomes;
}

/** What can be seen in the shop, in the words of the model. */
export async function describeShop({ database, customers, books }: Shop): Promise<string> {
  const bookIds = books.map(({ id }) => id);
  const stocks = await database.query<{ id: string; stock: number; gone: boolean }>(
    `select id, stock_quantity as stock, false as gone from public.books where id = any ($1::uuid[])
     union all select id, stock_quantity, true from private.gone_books where id = any ($1::uuid[])`,
    [bookIds],
  );
  const orders = await database.query<{
    id: string;
    lines: { book: number; quantity: number; linked: boolean }[];
  }>(
    `select o.id, o.status, o.stock_held as held,
            jsonb_agg(jsonb_build_object('book', array_position($2::uuid[], i.sold_book_id) - 1, 'quantity', i.quantity,
                                         'linked', i.book_id is not null)
                      order by array_position($2::uuid[], i.sold_book_id)) as lines
       from public.orders o join public.order_items i on i.order_id = o.id
      where o.user_id = any ($1::uuid[]) group by o.id order by o.id`,
    [customers.map(({ id }) => id), bookIds],
  );
  return JSON.stringify({
    books: bookIds.map((id) => {
      const found = stocks.filter((row) => row.id === id);
      return found.length === 1 ? { stock: found[0]?.stock, gone: found[0]?.gone } : { found: found.length };
    }),
    orders: orders.map((order) => ({
      ...order,
      lines: order.lines.map(({ book, quantity, linked }) => ({ book, quantity, linked })),
    })),
  });
}
