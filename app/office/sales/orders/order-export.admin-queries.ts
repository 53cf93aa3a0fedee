import type { BackendClient } from "#app/lib/backend/client.ts";
import { failureFrom, unwrap } from "#app/lib/backend/response.ts";
import {
  type ExportFilters,
  type ExportSource,
  fromLastPage,
  STEP_SIZE,
} from "#app/office/frame/export/collect-rows.ts";
import { type InPesewas, inPesewas } from "#shared/text/money.ts";
import { readOrders } from "./order.admin-queries.ts";

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
