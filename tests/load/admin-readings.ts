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

export type Reading = { name: string; read: (client: BackendClient) => Promise<unknown> };

const newest = { key: "created_at", descending: true } as const;
const lastFirst = { key: "happened_at", descending: true } as const;
/** Who changed every order's status in the generated shop. */
const busyAdmin = "a0000000-0000-4000-8000-000000000100";

/**
 * Each list at its first, a middle and its last page, searched and sorted: what the back office asks for, in the shop of big-shop.sql.
 * @param scale how many times 10,000 books and 100,000 orders there are
 */
export const adminReadings = (scale: { books: number; orders: number }): Reading[] => [
  { name: "dashboard: five figures", read: findDashboardStats },
  { name: "dashboard: newest orders", read: listRecentOrders },
  { name: "dashboard: low stock", read: (client) => listLowStockBooks(client, 5) },
  { name: "dashboard: publishers", read: listPublisherStatistics },
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
  ...["chemistry", "the", "and", "war", "the war"].map((word) =>
    search("books", (client, q) => listInventory(client, { q, publisher: "", page: 1, sort: newest }), word),
  ),
  ...pages("reviews", [1, 150 * scale.orders, 300 * scale.orders], (client, page) =>
    listReviews(client, { q: "", rating: 0, state: "", page, sort: newest }),
  ),
  search(
    "reviews, by text",
    (client, q) => listReviews(client, { q, rating: 0, state: "", page: 1, sort: newest }),
    "note 4242",
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
