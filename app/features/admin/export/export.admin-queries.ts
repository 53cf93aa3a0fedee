import { BOOK_COLUMNS } from "#app/features/books/book-fields.ts";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { unwrap } from "#app/lib/backend-response.ts";
import { type InPesewas, inPesewas } from "#app/lib/money.ts";
import type { ExportSource } from "./collect-csv.ts";

/** Rows per step: the most that the data API returns. */
const STEP_SIZE = 1_000;

/** The list's current search and filters; empty means all. Orders have several filters. */
export type ExportFilters = { q: string; filter: string; method?: string; region?: string; payment?: string };

async function readBooks(
  client: BackendClient,
  { q, filter }: ExportFilters,
  after?: { id: string; title: string },
) {
  const answer = await client
    .rpc("search_books", {
      _q: q || undefined,
      _publisher: filter || undefined,
      _page_size: STEP_SIZE,
      _after_title: after?.title,
      _after_id: after?.id,
    })
    .select(`${BOOK_COLUMNS}id,average_rating,review_count,created_at`);
  return unwrap(answer).map((book) => inPesewas(book, "price"));
}

export type ExportedBook = Awaited<ReturnType<typeof readBooks>>[number];

/** Books by title, each step continuing after the last book seen. `filter` is a publisher. */
export function bookSource(
  client: BackendClient,
  filters: ExportFilters,
): ExportSource<ExportedBook, { after?: { id: string; title: string } }> {
  return {
    count: async () =>
      unwrap(
        await client.rpc("admin_count_books", {
          _q: filters.q || undefined,
          _publisher: filters.filter || undefined,
        }),
      ),
    first: () => ({}),
    read: async ({ after }) => {
      const rows = await readBooks(client, filters, after);
      const last = rows.at(-1);
      return { rows, next: last && rows.length === STEP_SIZE ? { after: last } : null };
    },
  };
}

const orderFilters = ({ q, filter, method, region, payment }: ExportFilters) => ({
  _q: q || undefined,
  _status: filter || undefined,
  _method: method || undefined,
  _region: region || undefined,
  _payment: payment || undefined,
});

async function readOrders(client: BackendClient, filters: ExportFilters, page: number) {
  const answer = await client.rpc("admin_list_orders", {
    ...orderFilters(filters),
    _descending: false,
    _page: page,
    _page_size: STEP_SIZE,
  });
  const orders = unwrap(answer);
  const lines = await readOrderLines(
    client,
    orders.map(({ id }) => id),
  );
  return orders.map((order) => ({
    ...inPesewas(inPesewas(order, "total_amount"), "delivery_fee"),
    lines: lines.get(order.id) ?? [],
  }));
}

type LoggedLine = {
  title: string;
  publisher: string | null;
  isbn: string | null;
  quantity: number;
  price: number;
};

type ExportedLine = InPesewas<LoggedLine, "price">;

async function readOrderLines(client: BackendClient, ids: string[]): Promise<Map<string, ExportedLine[]>> {
  const answer = await client.rpc("admin_list_order_lines", { _order_ids: ids });
  // The shape that the function builds: the generated types know only that it is JSON.
  return new Map(
    unwrap(answer).map(({ order_id, lines }) => [
      order_id,
      (lines as LoggedLine[]).map((line) => inPesewas(line, "price")),
    ]),
  );
}

export type ExportedOrder = Awaited<ReturnType<typeof readOrders>>[number];

/** Orders with their lines, the newest first. `filter` is a status. */
export function orderSource(
  client: BackendClient,
  filters: ExportFilters,
): ExportSource<ExportedOrder, number> {
  return {
    count: async () => unwrap(await client.rpc("admin_count_orders", orderFilters(filters))),
    ...fromLastPage((page) => readOrders(client, filters, page)),
  };
}

async function readUsers(client: BackendClient, { q, filter }: ExportFilters, page: number) {
  const answer = await client.rpc("admin_list_users", {
    _q: q || undefined,
    _role: filter || undefined,
    _descending: false,
    _page: page,
    _page_size: STEP_SIZE,
  });
  return unwrap(answer);
}

export type ExportedUser = Awaited<ReturnType<typeof readUsers>>[number];

/** Accounts, the newest first. `filter` is a role. */
export function userSource(
  client: BackendClient,
  filters: ExportFilters,
): ExportSource<ExportedUser, number> {
  return {
    count: async () =>
      unwrap(
        await client.rpc("admin_count_users", {
          _q: filters.q || undefined,
          _role: filters.filter || undefined,
        }),
      ),
    ...fromLastPage((page) => readUsers(client, filters, page)),
  };
}

/**
 * The pages of a list sorted oldest first, read from the last page to the first: new rows appear behind the reader,
 * and a deletion moves rows towards the pages still to be read, never past them.
 */
function fromLastPage<Row extends { id: string }>(
  readPage: (page: number) => Promise<Row[]>,
): Pick<ExportSource<Row, number>, "first" | "read"> {
  return {
    first: (total) => Math.max(1, Math.ceil(total / STEP_SIZE)),
    read: async (page) => ({
      rows: (await readPage(page)).toReversed(),
      next: page > 1 ? page - 1 : null,
    }),
  };
}
