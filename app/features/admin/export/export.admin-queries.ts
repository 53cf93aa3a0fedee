import {
  type ConsultationRow,
  countConsultations,
  readConsultations,
} from "#app/features/admin/consultations/consultation.admin-queries.ts";
import {
  type CountLine,
  countCountLines,
  readCountLines,
} from "#app/features/admin/counts/count.admin-queries.ts";
import { listRegistrations, type Registration } from "#app/features/admin/events/event.admin-queries.ts";
import { readOrders } from "#app/features/admin/orders/order.admin-queries.ts";
import {
  type FoundPayment,
  findPayments,
  sumPayments,
} from "#app/features/admin/payments/all/all-payments.admin-queries.ts";
import {
  countMovements,
  type Movement,
  readMovements,
} from "#app/features/admin/stock/stock.admin-queries.ts";
import { BOOK_COLUMNS } from "#app/features/books/book-fields.ts";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { failureFrom, unwrap } from "#app/lib/backend-response.ts";
import { bookSearch } from "#app/lib/book-search.ts";
import { type InPesewas, inPesewas } from "#app/lib/money.ts";
import type { ExportSource } from "./collect-rows.ts";

/** Rows per step: the most that the data API returns. */
const STEP_SIZE = 1_000;

/** The list's current search and filters; empty means all. Orders have several filters. */
export type ExportFilters = {
  q: string;
  filter: string;
  method?: string;
  region?: string;
  payment?: string;
  kind?: string;
  from?: string;
  to?: string;
};

type BookPlace = { page: number; after?: { id: string; title: string } };

async function readBooks(
  client: BackendClient,
  { q, filter, kind }: ExportFilters,
  { page, after }: BookPlace,
) {
  // Only the back office's list finds texts with any punctuation; only the shop's search continues after a book, however many there are.
  const found = q
    ? client.rpc("admin_list_books", {
        _q: q,
        _publisher: filter || undefined,
        _kind: kind || undefined,
        _sort: "title",
        _descending: false,
        _page: page,
        _page_size: STEP_SIZE,
      })
    : client.rpc("search_books", {
        _search: bookSearch({
          publisher: filter || null,
          kind: kind || null,
          page_size: STEP_SIZE,
          after_title: after?.title ?? null,
          after_id: after?.id ?? null,
        }),
      });
  const answer = await found.select(`${BOOK_COLUMNS}id,average_rating,review_count,created_at`);
  return unwrap(answer).map((book) => inPesewas(book, "price"));
}

export type ExportedBook = Awaited<ReturnType<typeof readBooks>>[number];

/** Books by title. `filter` is a publisher. */
export function bookSource(
  client: BackendClient,
  filters: ExportFilters,
): ExportSource<ExportedBook, BookPlace> {
  return {
    count: async () =>
      unwrap(
        await client.rpc("admin_count_books", {
          _q: filters.q || undefined,
          _publisher: filters.filter || undefined,
          _kind: filters.kind || undefined,
        }),
      ),
    first: () => ({ page: 1 }),
    read: async (place) => {
      const rows = await readBooks(client, filters, place);
      const last = rows.at(-1);
      return { rows, next: last && rows.length === STEP_SIZE ? { page: place.page + 1, after: last } : null };
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

async function readExportedOrders(client: BackendClient, filters: ExportFilters, page: number) {
  const orders = await readOrders(client, {
    ...orderFilters(filters),
    _descending: false,
    _page: page,
    _page_size: STEP_SIZE,
  });
  const lines = await readOrderLines(
    client,
    orders.map(({ id }) => id),
  );
  return orders.map((order) => ({ ...order, lines: lines.get(order.id) ?? [] }));
}

type LoggedLine = {
  title: string;
  publisher: string | null;
  isbn: string | null;
  quantity: number;
  price: number;
};

type ExportedLine = InPesewas<LoggedLine, "price">;

/** Lines by order. Schools order a thousand titles at a time, so a range that is too large for one response is split in half. */
async function readOrderLines(client: BackendClient, ids: string[]): Promise<Map<string, ExportedLine[]>> {
  const answer = await client.rpc("admin_list_order_lines", { _order_ids: ids });
  if (answer.error && failureFrom(answer.error, answer.status).code === "too_many_rows" && ids.length > 1) {
    const half = Math.ceil(ids.length / 2);
    const first = await readOrderLines(client, ids.slice(0, half));
    return new Map([...first, ...(await readOrderLines(client, ids.slice(half)))]);
  }
  // The shape that the function builds: the generated types know only that it is JSON.
  return new Map(
    unwrap(answer).map(({ order_id, lines }) => [
      order_id,
      (lines as LoggedLine[]).map((line) => inPesewas(line, "price")),
    ]),
  );
}

export type ExportedOrder = Awaited<ReturnType<typeof readExportedOrders>>[number];

/** Orders with their lines, the newest first. `filter` is a status. */
export function orderSource(
  client: BackendClient,
  filters: ExportFilters,
): ExportSource<ExportedOrder, number> {
  return {
    count: async () => unwrap(await client.rpc("admin_count_orders", orderFilters(filters))),
    ...fromLastPage((page) => readExportedOrders(client, filters, page)),
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

/** An event's registrations, in the order of the list. */
export function registrationSource(
  client: BackendClient,
  eventId: string,
): ExportSource<Registration, number> {
  return {
    count: async () => (await listRegistrations(client, eventId, { page: 1, size: 1 })).total,
    ...fromLastPage(
      async (page) => (await listRegistrations(client, eventId, { page, size: STEP_SIZE })).rows,
    ),
  };
}

/** Consultations, the newest first. `filter` is a status. */
export function consultationSource(
  client: BackendClient,
  { q, filter }: ExportFilters,
): ExportSource<ConsultationRow, number> {
  const filters = { q, status: filter };
  return {
    count: () => countConsultations(client, filters),
    ...fromLastPage((page) =>
      readConsultations(client, filters, { _descending: false, _page: page, _page_size: STEP_SIZE }),
    ),
  };
}

/** A book's movements, the newest first. `filter` is a reason. */
export function movementSource(
  client: BackendClient,
  bookId: string,
  { filter }: ExportFilters,
): ExportSource<Movement, number> {
  const movements = { bookId, reason: filter };
  return {
    count: () => countMovements(client, movements),
    ...fromLastPage((page) => readMovements(client, movements, { page, descending: false, size: STEP_SIZE })),
  };
}

/** The books of a count by shelf place. `filter` is which of them. */
export function countSource(
  client: BackendClient,
  countId: string,
  { q, filter }: ExportFilters,
): ExportSource<CountLine, number> {
  const filters = { countId, show: filter, q };
  const sort = { key: "shelf", descending: true } as const;
  return {
    count: () => countCountLines(client, filters),
    ...fromLastPage((page) => readCountLines(client, filters, { page, sort, size: STEP_SIZE })),
  };
}

/** Payments, the newest first. `filter` is a state. */
export function paymentSource(
  client: BackendClient,
  { q, filter, method = "", kind = "", from = "", to = "" }: ExportFilters,
): ExportSource<FoundPayment, number> {
  const filters = { q, state: filter, method, kind, from, to };
  return {
    count: async () => (await sumPayments(client, filters)).total,
    ...fromLastPage((page) => findPayments(client, filters, { page, descending: false, size: STEP_SIZE })),
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
