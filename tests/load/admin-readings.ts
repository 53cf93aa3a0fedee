import type { BackendClient } from "#app/lib/backend/client.ts";
import { LIST_PAGE_SIZE } from "#app/lib/react/list-state.ts";
import {
  listInventory,
  listLowStockBooks,
  listPublisherStatistics,
} from "#app/office/catalogue/books/book.admin-queries.ts";
import { listReviews } from "#app/office/catalogue/reviews/review.admin-queries.ts";
import { listActivity } from "#app/office/people/activity/activity.admin-queries.ts";
import { listUsers } from "#app/office/people/users/user.admin-queries.ts";
import {
  findOrderDetails,
  listOrders,
  listRecentOrders,
} from "#app/office/sales/orders/order.admin-queries.ts";
import {
  listMargins,
  listOwed,
  listSales,
  listSalesOverTime,
  listTakings,
  listUnsoldBooks,
  listWantedBooks,
} from "#app/office/sales/reports/report.admin-queries.ts";
import {
  findDashboardStats,
  findTodaysWork,
  sumSales,
} from "#app/office/shop/dashboard/dashboard.admin-queries.ts";
import { listNeeds } from "#app/office/stock/purchases/needs/need.admin-queries.ts";
import { countsSince, expectWork, readCounts } from "./shop-counts.ts";

export type Reading = {
  name: string;
  read: (client: BackendClient) => Promise<unknown>;
  /** Whether other pages follow this one. */
  isFull?: boolean;
};

/** Starts and ends in the middle of a month, so that sums of months and days are both read. */
const aYear = { from: "2025-03-15", to: "2026-03-20" };

const newest = { key: "created_at", descending: true } as const;
const lastFirst = { key: "happened_at", descending: true } as const;
const sixPeriods = [2025, 2024].flatMap((year) => [
  { from: `${year}-11-26`, to: `${year}-11-26` },
  { from: `${year}-11-24`, to: `${year}-11-26` },
  { from: `${year}-09-15`, to: `${year}-11-26` },
]);

/** Who changed every order's status in the generated shop. */
const busyAdmin = "a0000000-0000-4000-8000-000000000100";

/**
 * Each list at its first, a middle and its last page, searched and sorted: what the back office asks for, in the shop of big-shop.sql.
 * @param scale how many times 10,000 books and 100,000 orders there are
 */
export const adminReadings = (scale: { books: number; orders: number }): Reading[] => [
  { name: "dashboard: five figures", read: findDashboardStats },
  { name: "dashboard: today's work", read: findTodaysWork },
  {
    name: "dashboard: sales of a day, a week and a term, with last year's",
    read: (client) => sumSales(client, sixPeriods),
  },
  { name: "dashboard: newest orders", read: listRecentOrders },
  { name: "dashboard: low stock", read: (client) => listLowStockBooks(client, 5) },
  { name: "dashboard: publishers", read: listPublisherStatistics },
  ...(["title", "publisher", "subject", "region", "customer"] as const).map((by) => ({
    name: `report: a year's sales by ${by}`,
    read: (client: BackendClient) => listSales(client, aYear, by),
  })),
  ...(["day", "week", "month"] as const).map((grain) => ({
    name: `report: a year's sales by ${grain}`,
    read: (client: BackendClient) => listSalesOverTime(client, aYear, grain, null),
  })),
  {
    name: "report: a publisher's sales in a year by week",
    read: (client) => listSalesOverTime(client, aYear, "week", { by: "publisher", key: "Collins" }),
  },
  {
    name: "report: a year's margins by publisher",
    read: (client) => listMargins(client, aYear, "publisher"),
  },
  { name: "report: owed", read: listOwed },
  { name: "report: a year's takings", read: (client) => listTakings(client, aYear) },
  { name: "report: not sold in a year", read: (client) => listUnsoldBooks(client, aYear) },
  {
    name: "what a term needs",
    read: async (client) =>
      (
        await listNeeds(client, {
          from: "2026-10-15",
          to: "2027-01-15",
          supplier: "",
          publisher: "",
          covered: true,
        })
      ).needs,
  },
  { name: "report: wanted", read: (client) => listWantedBooks(client) },
  ...pages("orders", [1, 1000 * scale.orders, 2000 * scale.orders], (client, page) =>
    listOrders(client, { q: "", status: "", page, sort: newest }),
  ),
  {
    name: `orders, by total, page ${2000 * scale.orders}`,
    read: (client) =>
      listOrders(client, {
        q: "",
        status: "",
        page: 2000 * scale.orders,
        sort: { key: "total_amount", descending: false },
      }),
  },
  {
    name: `orders, delivered, page ${900 * scale.orders}`,
    read: (client) =>
      listOrders(client, { q: "", status: "delivered", page: 900 * scale.orders, sort: newest }),
  },
  ...["due", "paid", "needs_decision"].map((payment) => ({
    name: `orders, payment ${payment}, page 1`,
    read: (client: BackendClient) =>
      listOrders(client, { q: "", status: "", payment, page: 1, sort: newest }),
  })),
  ...["due", "paid"].map((payment) => ({
    name: `orders, delivered and ${payment}, page ${800 * scale.orders}`,
    read: (client: BackendClient) =>
      listOrders(client, { q: "", status: "delivered", payment, page: 800 * scale.orders, sort: newest }),
  })),
  search(
    "orders, by number",
    (client, q) => listOrders(client, { q, status: "", page: 1, sort: newest }),
    "00054321",
  ),
  search(
    "orders, by a name",
    (client, q) => listOrders(client, { q, status: "", page: 1, sort: newest }),
    "customer 00042",
  ),
  search(
    "orders, by phone",
    (client, q) => listOrders(client, { q, status: "", page: 1, sort: newest }),
    "020 0054 321",
  ),
  {
    name: "order: details",
    read: async (client) => {
      const { rows } = await listOrders(client, { q: "00012345", status: "", page: 1, sort: newest });
      return findOrderDetails(client, rows[0]?.id ?? "");
    },
  },
  ...pages("users", [1, 200 * scale.orders, 400 * scale.orders], (client, page) =>
    listUsers(client, { q: "", role: "", page, sort: newest }),
  ),
  {
    name: `users, by name, page ${400 * scale.orders}`,
    read: (client) =>
      listUsers(client, {
        q: "",
        role: "",
        page: 400 * scale.orders,
        sort: { key: "full_name", descending: false },
      }),
  },
  {
    name: `users, role user, page ${300 * scale.orders}`,
    read: (client) => listUsers(client, { q: "", role: "user", page: 300 * scale.orders, sort: newest }),
  },
  search(
    "users, by email",
    (client, q) => listUsers(client, { q, role: "", page: 1, sort: newest }),
    "customer4242@",
  ),
  ...pages("books", [1, 100 * scale.books, 200 * scale.books], (client, page) =>
    listInventory(client, { q: "", publisher: "", page, sort: newest }),
  ),
  {
    name: `books, by stock, page ${200 * scale.books}`,
    read: (client) =>
      listInventory(client, {
        q: "",
        publisher: "",
        page: 200 * scale.books,
        sort: { key: "stock_quantity", descending: true },
      }),
  },
  {
    name: "books of one publisher",
    read: (client) => listInventory(client, { q: "", publisher: "Collins", page: 20, sort: newest }),
  },
  // The last two are in the generated titles of the large catalogue alone.
  ...["chemistry", "the", "and", ...(scale.books > 1 ? ["river", "the river"] : [])].map((word) =>
    search("books", (client, q) => listInventory(client, { q, publisher: "", page: 1, sort: newest }), word),
  ),
  ...pages("reviews", [1, 150 * scale.orders, 300 * scale.orders], (client, page) =>
    listReviews(client, { q: "", rating: 0, state: "", page, sort: newest }),
  ),
  search(
    "reviews, by text",
    (client, q) => listReviews(client, { q, rating: 0, state: "", page: 1, sort: newest }),
    "note 4243",
  ),
  ...pages("activity", [1, 1000 * scale.orders, 2000 * scale.orders], (client, page) =>
    listActivity(client, { q: "", table: "", actor: "", page, sort: lastFirst }),
  ),
  {
    name: `activity of one person, page ${1500 * scale.orders}`,
    read: (client) =>
      listActivity(client, {
        q: "",
        table: "",
        actor: busyAdmin,
        page: 1500 * scale.orders,
        sort: lastFirst,
      }),
  },
  search(
    "activity, by a name",
    (client, q) => listActivity(client, { q, table: "", actor: "", page: 1, sort: lastFirst }),
    "customer 00040",
  ),
];

function pages(
  list: string,
  numbers: number[],
  read: (client: BackendClient, page: number) => Promise<unknown>,
) {
  return numbers.map((page, index) => ({
    name: `${list}, page ${page}`,
    read: (client: BackendClient) => read(client, page),
    isFull: index < numbers.length - 1,
  }));
}

function search(
  name: string,
  read: (client: BackendClient, q: string) => Promise<unknown>,
  q: string,
): Reading {
  return { name: `${name} ('${q}')`, read: (client) => read(client, q) };
}

/**
 * Reads a list once, then this many times.
 * @param measure runs each of the later readings
 * @throws Error if the list is empty, a page before the last one isn't full, or the shop's count of calls isn't that of the readings
 */
export async function readCounted(
  { name, read, isFull }: Reading,
  client: BackendClient,
  url: string,
  runs: number,
  measure: (read: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const before = await readCounts(url);
  const result = await read(client);
  const rows = Array.isArray(result) ? result : (result as { rows?: unknown[] } | null)?.rows;
  if (!result || rows?.length === 0) throw new Error(`${name}: the list is empty`);
  if (isFull) expectWork(`${name}, rows`, rows?.length ?? 0, LIST_PAGE_SIZE);
  const between = await readCounts(url);
  const calls = countsSince(before, between).data;
  if (calls === 0) throw new Error(`${name}: no call reached the shop`);
  for (let run = 0; run < runs; run += 1) await measure(() => read(client));
  expectWork(`${name}, calls`, countsSince(between, await readCounts(url)).data, runs * calls);
}
