import { afterAll, beforeAll, expect, test } from "vitest";
import { collectRows } from "#app/office/frame/export/collect-rows.ts";
import { orderExport } from "#app/office/sales/orders/order-export.ts";
import { csvFile } from "#shared/tables/csv.ts";
import { textOf } from "#tests/support/csv-text.ts";
import { type OwnApi, openOwnApi } from "#tests/support/own-api.ts";
import { ownClient } from "#tests/support/own-client.ts";

/* Exports that exceed one response of the data API. */

const ORDERS = 40;
const LINES = 1_000;

let api: OwnApi;
beforeAll(async () => {
  api = await openOwnApi();
  await api.sql.query(
    `with placed as (
       insert into public.orders (total_amount, recipient_name, recipient_phone)
       select 1, 'School ' || n, '024 412 3456' from generate_series(1, ${ORDERS}) as n returning id)
     insert into public.order_items (order_id, quantity, price, title)
     select placed.id, 1, 1, repeat('Plants and forces ', 22) || n from placed, generate_series(1, ${LINES}) as n`,
  );
});
afterAll(() => api?.close());

test("40 orders of 1,000 long lines each are exported completely, although they exceed the response limit", async () => {
  const client = ownClient(api, "secret");
  const file = csvFile(orderExport.table.headings);
  const rows = await collectRows(orderExport.source(client, { q: "", filter: "" }), orderExport.table, {
    file,
    onProgress: () => {},
    signal: new AbortController().signal,
    wait: async () => {},
  });
  expect(rows).toBe(ORDERS);
  const csv = await textOf(file);
  expect(csv.match(/Plants and forces Plants/g)).not.toBeNull();
  expect(csv.split("\r\n").filter((line) => line.includes("Plants and forces"))).toHaveLength(ORDERS * LINES);
});
