import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import type { Grain, Period } from "#app/office/frame/periods/period.ts";
import { type Pesewas, pesewasFromCedis } from "#shared/text/money.ts";

/** The most lines of a report; a last line sums up all others. */
const MAX_LINES = 1000;

export const breakdowns = {
  title: "Title",
  publisher: "Publisher",
  subject: "Subject",
  class: "Class",
  region: "Region",
  customer: "School or customer",
} as const;

export type Breakdown = keyof typeof breakdowns;

type Amounts = { copies: number; books: Pesewas; delivery: Pesewas };

/**
 * `key` is null for delivery; `key` and `label` are null for the line that sums up all others. `contact`: a customer's email or phone,
 * for those with the duty People. `orders` is null where it can't be counted.
 */
export type SalesLine = Amounts & {
  key: string | null;
  label: string | null;
  contact: string | null;
  orders: number | null;
};

export type SalesColumn = Amounts & { start: string; orders: number | null };

const dates = ({ from, to }: Period) => ({ _from: from, _to: to });

const inAmounts = <Row extends { books: number; delivery: number }>(row: Row) => ({
  ...row,
  books: pesewasFromCedis(row.books),
  delivery: pesewasFromCedis(row.delivery),
});

/** The sales of a period by title, publisher, …; they add up to its total. @throws BackendFailure */
export async function listSales(client: BackendClient, period: Period, by: Breakdown): Promise<SalesLine[]> {
  return unwrap(await client.rpc("report_sales", { ...dates(period), _by: by, _limit: MAX_LINES })).map(
    inAmounts,
  );
}

/** The sales of a period over time, in all or for one line of a breakdown. @throws BackendFailure */
export async function listSalesOverTime(
  client: BackendClient,
  period: Period,
  grain: Grain,
  only: { by: Breakdown; key: string } | null,
): Promise<SalesColumn[]> {
  return unwrap(
    await client.rpc("report_sales_over_time", {
      ...dates(period),
      _grain: grain,
      ...(only && { _by: only.by, _key: only.key }),
    }),
  ).map(inAmounts);
}

/** The groupings of margins; delivery has no cost, so customers and regions have none. */
export const marginBreakdowns = ["title", "publisher", "subject", "class"] as const satisfies Breakdown[];

export type MarginBreakdown = (typeof marginBreakdowns)[number];

/**
 * `costed` of the sold `copies` have a known cost; `sales` and `cost` are for those. `key` is null for all
 * others together.
 */
export type MarginLine = {
  key: string | null;
  label: string | null;
  copies: number;
  costed: number;
  books: Pesewas;
  cost: Pesewas;
};

/** @throws BackendFailure */
export async function listMargins(
  client: BackendClient,
  period: Period,
  by: MarginBreakdown,
): Promise<MarginLine[]> {
  return unwrap(await client.rpc("report_margins", { ...dates(period), _by: by, _limit: MAX_LINES })).map(
    (row) => ({ ...row, books: pesewasFromCedis(row.books), cost: pesewasFromCedis(row.cost) }),
  );
}

/** The copies in stock with a known cost, their total cost, and the number of other copies. @throws BackendFailure */
export async function readStockValue(client: BackendClient) {
  const value = unwrap(await client.rpc("report_stock_value").single());
  return { ...value, cost: pesewasFromCedis(value.cost) };
}

/**
 * What is owed by one customer, by the days since the order. `key` is null for the total of all others. `contact`: their email or phone,
 * for those with the duty People.
 */
export type OwedLine = {
  key: string | null;
  label: string | null;
  contact: string | null;
  days_30: Pesewas;
  days_60: Pesewas;
  days_90: Pesewas;
  older: Pesewas;
  owed: Pesewas;
};

/** @throws BackendFailure */
export async function listOwed(client: BackendClient): Promise<OwedLine[]> {
  return unwrap(await client.rpc("report_owed", { _limit: MAX_LINES })).map((row) => ({
    ...row,
    days_30: pesewasFromCedis(row.days_30),
    days_60: pesewasFromCedis(row.days_60),
    days_90: pesewasFromCedis(row.days_90),
    older: pesewasFromCedis(row.older),
    owed: pesewasFromCedis(row.owed),
  }));
}

export type TakingsLine = {
  day: string;
  method: string;
  payments: number;
  paid: Pesewas;
  refunded: Pesewas;
};

/** @throws BackendFailure */
export async function listTakings(client: BackendClient, period: Period): Promise<TakingsLine[]> {
  return unwrap(await client.rpc("report_takings", dates(period))).map((row) => ({
    ...row,
    paid: pesewasFromCedis(row.paid),
    refunded: pesewasFromCedis(row.refunded),
  }));
}

/** @throws BackendFailure */
export async function listUnsoldBooks(client: BackendClient, period: Period) {
  return unwrap(await client.rpc("report_unsold", { ...dates(period), _limit: MAX_LINES })).map((row) => ({
    ...row,
    price: pesewasFromCedis(row.price),
  }));
}

/** @param inStock only books in stock that customers still wait for @throws BackendFailure */
export async function listWantedBooks(client: BackendClient, inStock = false) {
  return unwrap(await client.rpc("report_wanted", { _limit: MAX_LINES, _in_stock: inStock }));
}

/** A search that found little, or a line of a bulk order without a book. */
export type DemandKind = "search" | "line";

export type DemandLine = { text: string; visitors: number; found: number; last_day: string };

/** @throws BackendFailure */
export async function listDemand(
  client: BackendClient,
  period: Period,
  kind: DemandKind,
): Promise<DemandLine[]> {
  return unwrap(await client.rpc("report_demand", { ...dates(period), _kind: kind, _limit: MAX_LINES }));
}

export type DemandColumn = { start: string; texts: number; visitors: number };

/** @throws BackendFailure */
export async function listDemandOverTime(
  client: BackendClient,
  period: Period,
  kind: DemandKind,
  grain: Grain,
): Promise<DemandColumn[]> {
  return unwrap(
    await client.rpc("report_demand_over_time", { ...dates(period), _kind: kind, _grain: grain }),
  );
}

/** @throws BackendFailure */
export async function listWishedBooks(client: BackendClient, period: Period) {
  return unwrap(await client.rpc("report_wished", { ...dates(period), _limit: MAX_LINES }));
}

/** Titles on booklists without a book, each with its newest list. @throws BackendFailure */
export async function listListedTitles(client: BackendClient, period: Period) {
  return unwrap(await client.rpc("report_listed", { ...dates(period), _limit: MAX_LINES }));
}

/** When the sums were last compared with all orders, and how many were wrong; null before. @throws BackendFailure */
export async function findSalesCheck(client: BackendClient) {
  return unwrap(await client.rpc("read_sales_check"))[0] ?? null;
}
