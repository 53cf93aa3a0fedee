import type { Settings } from "../lib/settings.ts";

type Hosted = NonNullable<Settings["hosted"]>;
type Version = { terms: string; delivery_and_returns: string; settings: { paysOnline?: boolean } | null };

/** The shop waits for it on startup. */
const timeoutMs = 3_000;
/** The placeholders whose text depends on whether customers can pay online (private.names_in_terms). */
const aboutPaying = /\{(?:payment|paystack|paystackData)\}/;

/**
 * Checks that the stored terms and the pages agree on paying online. Only `npm run migrate` tells a hosted project whether customers can, and
 * it may run on a machine without the shop's keys.
 * @returns a line for the owner if it has to be run again
 */
export async function listTermsNotices(hosted: Hosted, paysOnline: boolean): Promise<string[]> {
  const address = new URL("/rest/v1/terms_versions", hosted.url);
  address.search = "select=terms,delivery_and_returns,settings&order=version.desc&limit=1";
  const versions: unknown = await fetch(address, {
    headers: { apikey: hosted.publishableKey },
    signal: AbortSignal.timeout(timeoutMs),
  })
    .then((response) => (response.ok ? response.json() : []))
    .catch(() => []);
  const [latest] = Array.isArray(versions) ? (versions as Version[]) : [];
  if (!latest || !aboutPaying.test(latest.terms + latest.delivery_and_returns)) return [];
  if (latest.settings?.paysOnline === paysOnline) return [];
  return [
    `Customers ${paysOnline ? "can" : "cannot"} pay online, but the stored terms don't say so: run "npm run migrate" with ${paysOnline ? "the same PAYSTACK_SECRET_KEY as here" : "an empty PAYSTACK_SECRET_KEY"}`,
  ];
}
