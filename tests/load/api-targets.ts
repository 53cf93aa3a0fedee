import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import type { TokenKeys } from "#server/api/caller.ts";
import { searchCall } from "#tests/support/book-search.ts";
import { asOwner, makePeople, type Person } from "./running-shop.ts";
import { schoolBooks } from "./school-books.ts";
import { searchMix } from "./search-mix.ts";

export const countedTables = ["orders", "order_items", "stock_movements", "outgoing_emails"] as const;
/** The rows that every customer's order writes. */
const rowsOfAnOrder = { orders: 1, order_items: 1, stock_movements: 1, outgoing_emails: 2 };
const BOOKS_ORDERED = 500;

export type Call = { path: string; body?: object; token?: string };
export type Statement = { text: string; values: postgres.ParameterOrJSON<never>[]; userId?: string };
export type Target = {
  name: string;
  /** One client's calls, in order. */
  calls: (turn: number) => Call[];
  /** The same work as SQL statements. */
  statements: (turn: number) => Statement[];
  /** The rows that each round of calls must write. */
  rows?: RowCounts;
  /** The least rate, as a share of the statements' rate. */
  leastRatio?: number;
  /** Runs before each load to undo work that the previous one left unfinished. */
  prepare?: () => Promise<void>;
};
/** Rows by table. */
export type RowCounts = Partial<Record<(typeof countedTables)[number], number>>;

const columns = "id,title,authors,publisher,price,stock_quantity,image_url";

/**
 * The API's measurements, each with the same work as SQL.
 * @param seconds the length of a load
 */
export async function makeTargets(sql: postgres.Sql, keys: TokenKeys, seconds: number): Promise<Target[]> {
  const mix = searchMix(schoolBooks());
  const search = (turn: number) => mix[turn % mix.length] ?? { q: "" };
  // Enough that no customer reaches the hourly limit of orders, or orders twice in one load at 1,000 orders a second.
  const peopleCount = Math.max(8, 2 * seconds) * BOOKS_ORDERED;
  const people = await makePeople(sql, keys, peopleCount);
  await asOwner(sql, async (owner) => {
    // The first books by id; enough of each for a long load.
    await owner`alter table public.books disable trigger user`;
    await owner`update public.books set stock_quantity = 1000000
      where id in (select id from public.books order by id limit ${BOOKS_ORDERED})`;
    await owner`alter table public.books enable trigger user`;
    await owner`select private.count_tallies(), private.count_sales()`;
  });
  const books = await sql<
    { id: string; price: string }[]
  >`select id, price from public.books order by id limit ${BOOKS_ORDERED}`;
  const person = (turn: number) => people[turn % peopleCount] as Person;
  const book = (turn: number) => books[turn % BOOKS_ORDERED] as { id: string; price: string };
  const orderCall = (turn: number): Call => {
    const { id, token } = person(turn);
    const total_amount = Number(book(turn).price);
    return {
      path: "/rest/v1/orders",
      body: { id: randomUUID(), user_id: id, total_amount, status: "pending", shipping_address: "Accra" },
      token,
    };
  };
  const orderStatement = (turn: number): Statement => ({
    text: "insert into public.orders (id, user_id, total_amount, status, shipping_address) values ($1::uuid, $2::uuid, $3::text::numeric, 'pending', 'Accra')",
    values: [randomUUID(), person(turn).id, book(turn).price],
    userId: person(turn).id,
  });
  /** Fills each cart with the book that its customer orders: always the same one, because there are a multiple of BOOKS_ORDERED customers. */
  async function fillCarts(owner: postgres.TransactionSql): Promise<void> {
    const [ids, ordered] = [people.map(({ id }) => id), people.map((_, turn) => book(turn).id)];
    await owner`delete from public.cart_items`;
    await owner`insert into public.cart_items (user_id, book_id, quantity)
      select user_id, book_id, 1 from unnest(${ids}::uuid[], ${ordered}::uuid[]) as of (user_id, book_id)`;
    await owner`analyze public.cart_items`;
  }
  const rows = (from: string, what = "*") =>
    `select coalesce(json_agg(t), '[]')::text from (select ${what} from ${from}) t`;
  return [
    {
      name: "list of 24 books",
      leastRatio: 0.5,
      calls: () => [{ path: `/rest/v1/books?select=${columns}&order=title_key,id&limit=24` }],
      statements: () => [{ text: rows("public.books order by title_key, id limit 24", columns), values: [] }],
    },
    {
      name: "search_books, the mix",
      leastRatio: 0.65,
      calls: (turn) => [
        {
          path: `/rest/v1/rpc/search_books?select=${columns}`,
          body: { _search: { ...search(turn), page_size: 24 } },
        },
      ],
      statements: (turn) => [
        {
          text: rows(searchCall("search_books"), columns),
          values: [{ ...search(turn), page_size: 24 }],
        },
      ],
    },
    {
      name: "count_books, the mix",
      calls: (turn) => [{ path: "/rest/v1/rpc/count_books", body: { _search: search(turn) } }],
      statements: (turn) => [{ text: `select ${searchCall("count_books")}`, values: [search(turn)] }],
    },
    {
      name: "list_book_facets, the mix",
      calls: (turn) => [{ path: "/rest/v1/rpc/list_book_facets", body: { _q: search(turn).q } }],
      statements: (turn) => [
        { text: rows("public.list_book_facets(_q => $1::text)"), values: [search(turn).q] },
      ],
    },
    {
      name: "add_to_cart and an order, in pairs",
      leastRatio: 0.85,
      calls: (turn) => [
        {
          path: "/rest/v1/rpc/add_to_cart",
          body: { _book_id: book(turn).id, _quantity: 1 },
          token: person(turn).token,
        },
        orderCall(turn),
      ],
      statements: (turn) => [
        {
          text: "select to_json(t)::text from public.add_to_cart($1::uuid, 1) t",
          values: [book(turn).id],
          userId: person(turn).id,
        },
        orderStatement(turn),
      ],
      rows: rowsOfAnOrder,
      // A copy left in a cart would change the total of that customer's next order, which would then be refused.
      prepare: () => asOwner(sql, (owner) => owner`delete from public.cart_items`),
    },
    {
      name: "an order from a filled cart",
      calls: (turn) => [orderCall(turn)],
      statements: (turn) => [orderStatement(turn)],
      rows: rowsOfAnOrder,
      prepare: () => asOwner(sql, fillCarts),
    },
  ];
}
