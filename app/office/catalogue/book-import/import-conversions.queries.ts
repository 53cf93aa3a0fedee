import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import type { Json } from "#shared/calls/database.types.ts";
import { cedisFromPesewas, pesewasFromCedis } from "#shared/text/money.ts";
import { PRICE_EXAMPLES, type PriceExample } from "./list-prices.ts";
import type { PriceConversion } from "./price-conversion.ts";

/** How the prices of other currencies became cedis in earlier imports: remembered with each, proposed for the next list of its supplier. */

export function conversionAsJson({ rates, percent, roundTo }: PriceConversion): Json {
  return { rates: { ...rates }, percent, round_to: cedisFromPesewas(roundTo) };
}

export function conversionFromJson(json: Json): PriceConversion {
  const { rates, percent, round_to } = json as {
    rates: Record<string, number>;
    percent: number;
    round_to: number;
  };
  return { rates, percent, roundTo: pesewasFromCedis(round_to) };
}

/** What was last used for a supplier's or list's name. */
export type RememberedConversion = {
  importId: string;
  source: string;
  conversion: PriceConversion;
  appliedAt: string;
};

/** No shop has lists of more suppliers. */
const MOST_REMEMBERED = 500;

/**
 * The conversion of each source that was applied last and not taken back, the newest first.
 * @throws BackendFailure
 */
export async function listConversions(client: BackendClient): Promise<RememberedConversion[]> {
  const imports = unwrap(
    await client
      .from("book_imports")
      .select("id, source, conversion, applied_at")
      .in("status", ["applied", "applying"])
      .not("conversion", "is", null)
      .order("applied_at", { ascending: false })
      .limit(MOST_REMEMBERED),
  );
  const bySource = new Map<string, RememberedConversion>();
  for (const { id, source, conversion, applied_at } of imports) {
    const key = (source ?? "").toLowerCase();
    if (bySource.has(key) || conversion === null || applied_at === null) continue;
    bySource.set(key, {
      importId: id,
      source: source ?? "",
      conversion: conversionFromJson(conversion),
      appliedAt: applied_at,
    });
  }
  return [...bySource.values()];
}

/**
 * Stages the prices of a list's books anew; nothing changes until that import is applied.
 * @param importId of the list
 * @returns the new import's id
 * @throws BackendFailure
 */
export async function stageNewRates(
  client: BackendClient,
  importId: string,
  conversion: PriceConversion,
): Promise<string> {
  return unwrap(
    await client.rpc("stage_new_rates", { _import_id: importId, _conversion: conversionAsJson(conversion) }),
  );
}

/**
 * The first prices of an import's list.
 * @throws BackendFailure
 */
export async function listRatedPrices(client: BackendClient, importId: string): Promise<PriceExample[]> {
  const rows = unwrap(
    await client
      .from("book_import_rows")
      .select("line, source_price, source_currency, after")
      .eq("import_id", importId)
      .not("source_price", "is", null)
      .not("book_id", "is", null)
      .order("line")
      .limit(PRICE_EXAMPLES),
  );
  return rows.map(({ line, source_price, source_currency, after }) => ({
    line,
    title: String((after as { title?: string } | null)?.title ?? ""),
    amount: pesewasFromCedis(source_price ?? 0),
    currency: source_currency ?? "",
  }));
}

/** What was last used for this source; capitals do not count. */
export function conversionOf(
  known: readonly RememberedConversion[],
  source: string,
): RememberedConversion | undefined {
  const key = source.trim().toLowerCase();
  return known.find((one) => one.source.toLowerCase() === key);
}
