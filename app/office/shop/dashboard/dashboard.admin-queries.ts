import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import type { Period } from "#app/office/frame/periods/period.ts";
import { pesewasFromCedis } from "#shared/text/money.ts";

/** The generated types don't know that a function's columns can be null. */
type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null };
const nullable = <Row>(row: Row): Nullable<Row> => row;

/**
 * The dashboard's five totals, each counted by the database; null where the user lacks the duty.
 * @throws BackendFailure
 */
export async function findDashboardStats(client: BackendClient) {
  return nullable(unwrap(await client.rpc("dashboard_stats").single()));
}

/**
 * What staff have to do: the row counts of the lists that the dashboard links to; `owed` in pesewas. Null where the
 * user lacks the duty.
 * @throws BackendFailure
 */
export async function findTodaysWork(client: BackendClient) {
  const row = nullable(unwrap(await client.rpc("todays_work").single()));
  return { ...row, owed: pesewasFromCedis(row.owed ?? 0), owed_back: pesewasFromCedis(row.owed_back ?? 0) };
}

/** The sales of several periods, in their order. @throws BackendFailure */
export async function sumSales(client: BackendClient, periods: readonly Period[]) {
  const rows = unwrap(
    await client.rpc("sum_sales", {
      _from: periods.map(({ from }) => from),
      _to: periods.map(({ to }) => to),
    }),
  );
  return rows.map((row) => ({ ...row, amount: pesewasFromCedis(row.amount) }));
}
