import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import postgres from "postgres";
import { listActivity } from "#app/features/admin/activity/activity.admin-queries.ts";
import {
  listInventory,
  listLowStockBooks,
  listPublisherStatistics,
} from "#app/features/admin/books/book.admin-queries.ts";
import { findDashboardStats } from "#app/features/admin/dashboard/dashboard.admin-queries.ts";
import {
  findOrderDetails,
  listOrders,
  listRecentOrders,
} from "#app/features/admin/orders/order.admin-queries.ts";
import { listReviews } from "#app/features/admin/reviews/review.admin-queries.ts";
import { listUsers } from "#app/features/admin/users/user.admin-queries.ts";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { findPostgresProblem } from "#tests/support/database.ts";
import { ADMIN, startShop } from "#tests/support/shop-server.ts";
import { connect } from "#tests/support/test.ts";
import { milliseconds, percentile, type Section } from "./report.ts";

const RUNS = 40;
const BUDGET_MS = 150;
const server = process.env.TEST_DATABASE_URL ?? "postgres://postgres@127.0.0.1:5432/postgres";

type Reading = { name: string; read: (client: BackendClient) => Promise<unknown> };

const newest = { key: "created_at", descending: true } as const;
const lastFirst = { key: "happened_at", descending: true } as const;
/** Who changed every order's status in the generated shop. */
const busyAdmin = "a0000000-0000-4000-8000-000000000100";

/** One list at its first, a middle and its last page, searched and sorted: what the back office asks for. */
const readings: Reading[] = [
  { name: "dashboard: five figures", read: findDashboardStats },
  { name: "dashboard: newest orders", read: listRecentOrders },
  { name: "dashboard: low stock", read: (client) => listLowStockBooks(client, 5) },
  { name: "dashboard: publishers", read: listPublisherStatistics },
  ...pages("orders", [1, 1000, 2000], (client, page) =>
    listOrders(client, { q: "", status: "", page, sort: newest }),
  ),
  {
    name: "orders, by total, page 2000",
    read: (client) =>
      listOrders(client, { q: "", status: "", page: 2000, sort: { key: "total_amount", descending: false } }),
  },
  {
    name: "orders, delivered, page 900",
    read: (client) => listOrders(client, { q: "", status: "delivered", page: 900, sort: newest }),
  },
  ...["due", "paid", "needs_decision"].map((payment) => ({
    name: `orders, payment ${payment}, page 1`,
    read: (client: BackendClient) =>
      listOrders(client, { q: "", status: "", payment, page: 1, sort: newest }),
  })),
  {
    name: "orders, delivered and paid, page 900",
    read: (client) =>
      listOrders(client, { q: "", status: "delivered", payment: "paid", page: 900, sort: newest }),
  },
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
  ...pages("users", [1, 200, 400], (client, page) =>
    listUsers(client, { q: "", role: "", page, sort: newest }),
  ),
  {
    name: "users, by name, page 400",
    read: (client) =>
      listUsers(client, { q: "", role: "", page: 400, sort: { key: "full_name", descending: false } }),
  },
  {
    name: "users, role user, page 300",
    read: (client) => listUsers(client, { q: "", role: "user", page: 300, sort: newest }),
  },
  search(
    "users, by email",
    (client, q) => listUsers(client, { q, role: "", page: 1, sort: newest }),
    "customer4242@",
  ),
  ...pages("books", [1, 100, 200], (client, page) =>
    listInventory(client, { q: "", publisher: "", page, sort: newest }),
  ),
  {
    name: "books, by stock, page 200",
    read: (client) =>
      listInventory(client, {
        q: "",
        publisher: "",
        page: 200,
        sort: { key: "stock_quantity", descending: true },
      }),
  },
  {
    name: "books of one publisher",
    read: (client) => listInventory(client, { q: "", publisher: "Collins", page: 20, sort: newest }),
  },
  search(
    "books, a word in one in ten",
    (client, q) => listInventory(client, { q, publisher: "", page: 1, sort: newest }),
    "chemistry",
  ),
  ...pages("reviews", [1, 150, 300], (client, page) =>
    listReviews(client, { q: "", rating: 0, state: "", page, sort: newest }),
  ),
  search(
    "reviews, by text",
    (client, q) => listReviews(client, { q, rating: 0, state: "", page: 1, sort: newest }),
    "note 4242",
  ),
  ...pages("activity", [1, 1000, 2000], (client, page) =>
    listActivity(client, { q: "", table: "", actor: "", page, sort: lastFirst }),
  ),
  {
    name: "activity of one person, page 1500",
    read: (client) =>
      listActivity(client, { q: "", table: "", actor: busyAdmin, page: 1500, sort: lastFirst }),
  },
  search(
    "activity, by a name",
    (client, q) => listActivity(client, { q, table: "", actor: "", page: 1, sort: lastFirst }),
    "customer 00042",
  ),
];

function pages(
  list: string,
  numbers: number[],
  read: (client: BackendClient, page: number) => Promise<unknown>,
) {
  return numbers.map((page) => ({
    name: `${list}, page ${page}`,
    read: (client: BackendClient) => read(client, page),
  }));
}

function search(
  name: string,
  read: (client: BackendClient, q: string) => Promise<unknown>,
  q: string,
): Reading {
  return { name: `${name} ('${q}')`, read: (client) => read(client, q) };
}

/** The back office's lists at the API of a shop on PostgreSQL, rows and exact count together. */
export async function measureAdminLists(): Promise<Section> {
  const section: Section = {
    title: "The back office's lists",
    about: `10,000 books, 100,000 orders, 20,000 accounts, 15,000 reviews on PostgreSQL; over HTTP as an admin, with the back office's own functions: page of 50 and exact count together, ${RUNS} times each, one after the other. Budget: p95 at most ${BUDGET_MS} ms.`,
    header: ["List", "p50", "p95", "Within the budget"],
    rows: [],
  };
  const problem = await findPostgresProblem();
  if (problem) return { ...section, about: `Not measured: ${problem}.` };

  const name = `adwene_bench_${randomUUID().replaceAll("-", "")}`;
  const owner = postgres(server, { max: 1, onnotice: () => {} });
  await owner.unsafe(`create database ${name}`);
  const address = new URL(server);
  address.pathname = `/${name}`;
  const shop = await startShop({ DATABASE_URL: address.href, SHOP_DEMO: "0" });
  try {
    const database = postgres(address.href, { max: 1, onnotice: () => {} });
    await database.unsafe(await readFile(new URL("big-shop.sql", import.meta.url), "utf8"));
    // As autovacuum does sooner or later: rows written in bulk have not been vacuumed yet.
    await database.unsafe("vacuum analyze");
    await database.end();
    const client = await connect(shop, "2001:db8::50");
    const { error } = await client.auth.signInWithPassword(ADMIN);
    if (error) throw error;
    for (const reading of readings) section.rows.push(await take(reading, client));
    return section;
  } finally {
    await shop.stop();
    await owner.unsafe(`drop database ${name} with (force)`);
    await owner.end();
  }
}

async function take({ name, read }: Reading, client: BackendClient): Promise<string[]> {
  const times: number[] = [];
  await read(client);
  for (let run = 0; run < RUNS; run++) {
    const startedAt = performance.now();
    await read(client);
    times.push(performance.now() - startedAt);
  }
  const p95 = percentile(times, 0.95);
  return [name, milliseconds(percentile(times, 0.5)), milliseconds(p95), p95 <= BUDGET_MS ? "yes" : "no"];
}
