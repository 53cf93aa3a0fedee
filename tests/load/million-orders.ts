import { readFile } from "node:fs/promises";
import type postgres from "postgres";
import { expectWork } from "./shop-counts.ts";
import { withoutIndexes } from "./without-indexes.ts";

const bigShop = new URL("big-shop.sql", import.meta.url);
const filled = "profiles,orders,order_items,payments,reviews,audit_log"
  .split(",")
  .map((name) => `public.${name}`);

/** Adds orders, their customers, payments and log to a catalogue of any size, as large shops have them after the nightly vacuum. */
export async function fillOrders(sql: postgres.Sql, orders: number): Promise<void> {
  await sql.unsafe(`set bench.orders = ${orders}; set temp_file_limit = -1; set work_mem = '256MB'`);
  await withoutIndexes(sql, filled, async () => sql.unsafe(await readFile(bigShop, "utf8")));
  await sql.unsafe("reset work_mem");
  await sql.unsafe("vacuum analyze");
  const [made] = await sql<{ rows: number }[]>`select count(*)::int as rows from public.orders`;
  expectWork("orders generated", made?.rows ?? 0, orders);
}
