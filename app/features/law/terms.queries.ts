import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import type { TermsVersion } from "./terms-version.ts";

const columns = "version, published_at, terms, delivery_and_returns, settings";

/**
 * The terms that apply now; null in a shop that has not started yet.
 * @throws BackendFailure
 */
export async function findCurrentTerms(client: BackendClient): Promise<TermsVersion | null> {
  const newestFirst = client.from("terms_versions").select(columns).order("version", { ascending: false });
  return unwrap(await newestFirst.limit(1))[0] ?? null;
}

/**
 * An earlier version of the terms; null if there is no such version.
 * @throws BackendFailure
 */
export async function findTerms(client: BackendClient, version: number): Promise<TermsVersion | null> {
  return unwrap(await client.from("terms_versions").select(columns).eq("version", version))[0] ?? null;
}
