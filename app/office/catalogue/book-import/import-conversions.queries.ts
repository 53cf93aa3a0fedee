import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import type { Json } from "#shared/calls/database.types.ts";
import { cedisFromPesewas, pesewasFromCedis } from "#shared/text/money.ts";
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
export type RememberedConversion = { source: string; conversion: PriceConversion; appliedAt: string };

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
      .select("source, conversion, applied_at")
      .in("status", ["applied", "applying"])
      .not("conversion", "is", null)
      .order("applied_at", { ascending: false })
      .limit(MOST_REMEMBERED),
  );
  const bySource = new Map<string, RememberedConversion>();
  for (const { source, conversion, applied_at } of imports) {
    const key = (source ?? "").toLowerCase();
    if (bySource.has(key) || conversion === null || applied_at === null) continue;
    bySource.set(key, {
      source: source ?? "",
      conversion: conversionFromJson(conversion),
      appliedAt: applied_at,
    });
  }
  return [...bySource.values()];
}

/** What was last used for this source; capitals do not count. */
export function conversionOf(
  known: readonly RememberedConversion[],
  source: string,
): RememberedConversion | undefined {
  const key = source.trim().toLowerCase();
  return known.find((one) => one.source.toLowerCase() === key);
}
