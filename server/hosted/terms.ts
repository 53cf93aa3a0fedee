import type { Settings } from "../lib/settings.ts";

type Hosted = NonNullable<Settings["hosted"]>;
type Version = { terms: string; delivery_and_returns: string; settings: { paysOnline?: boolean } | null };

/** A start waits for it. */
const timeoutMs = 3_000;
/** The names from which the terms say whether customers pay online (private.names_in_terms). */
const aboutPaying = /\{(?:payment|paystack|paystackData)\}/;

/**
 * Whether the terms that orders refer to say of paying online what the pages say. A hosted project learns it from `npm run migrate` alone,
 * which may run where the shop's keys are not.
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
    `Customers ${paysOnline ? "can" : "cannot"} pay online, which the kept version of the terms does not say: run "npm run migrate" with PAYSTACK_SECRET_KEY ${paysOnline ? "set as here" : "set to nothing"}`,
  ];
}
