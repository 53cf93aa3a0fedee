import type { BackendClient } from "#app/lib/backend/client.ts";
import { retryStep } from "#app/lib/backend/retry.ts";
import type { BookImportCounts } from "#app/office/catalogue/book-import/book-import.queries.ts";
import {
  conversionOf,
  listConversions,
  stageNewRates,
} from "#app/office/catalogue/book-import/import-conversions.queries.ts";
import { applyChecked } from "./apply-import.ts";
import { checkImport } from "./check-import.ts";
import { CommandError } from "./command.ts";
import type { Reporter } from "./import-report.ts";
import { type MoneyOptions, optionsOf } from "./list-money.ts";

export type NewRateOptions = {
  /** The supplier or list, as it was named when it was imported. */
  source: string;
  /** Beside this file the rows left out are written. */
  path?: string;
  money: MoneyOptions;
  dryRun: boolean;
  skipRefused: boolean;
  acceptsOdd?: boolean;
  rowsPerStep?: number;
  signal: AbortSignal;
};

/**
 * Works out the prices of a list's books anew, from the list's own prices: what is not typed stays as it was.
 * @throws CommandError in one line when there is no such list, or rows stop it; nothing is changed then
 */
export async function applyNewRates(
  client: BackendClient,
  {
    source,
    path = "new-rate",
    money,
    dryRun,
    skipRefused,
    acceptsOdd = false,
    rowsPerStep,
    signal,
  }: NewRateOptions,
  report: Reporter,
): Promise<BookImportCounts> {
  const known = await listConversions(client);
  const list = conversionOf(known, source);
  if (!list)
    throw new CommandError(
      known.length === 0
        ? "No list in another currency was imported."
        : `No list was imported as ${source}. There are: ${known.map((one) => one.source).join(", ")}`,
    );
  if (Object.keys(money.rates).length === 0)
    throw new CommandError(`Say the new rate. Last used for ${list.source}: ${optionsOf(list.conversion)}`);
  const { conversion: former } = list;
  const conversion = {
    rates: { ...former.rates, ...money.rates },
    percent: money.percent ?? former.percent,
    roundTo: money.roundTo ?? former.roundTo,
  };
  const call = <Result>(step: () => PromiseLike<Result>) => retryStep(step, { signal });
  const importId = await stageNewRates(client, list.importId, conversion);
  report.line(`${list.source}: ${optionsOf(conversion)}`);
  const rows = client.from("book_import_rows").select("line", { count: "exact" }).eq("import_id", importId);
  const { data, count } = await rows.order("line", { ascending: false }).limit(1).throwOnError();
  const table = { headings: ["Title", "Price"], lastLine: data[0]?.line ?? 0, rowCount: count ?? 0 };
  const plan = await checkImport(client, importId, path, table, call, report, { showUpdates: true });
  if (dryRun) return plan;
  const { rowCount } = table;
  const refusal =
    "Nothing was changed. To leave these books as they are and change the others: --skip-refused";
  return applyChecked(
    client,
    importId,
    { plan, rowCount, skipRefused, refusal, acceptsOdd, rowsPerStep, call },
    report,
  );
}
