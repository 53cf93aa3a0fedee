import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import type { SchoolTerm } from "#shared/owner/settings.ts";

/** The owner's school terms. @throws BackendFailure */
export async function listSchoolTerms(client: BackendClient): Promise<SchoolTerm[]> {
  const rows = unwrap(await client.from("shop_settings").select("value").eq("id", "schoolTerms"));
  return (rows[0]?.value ?? []) as SchoolTerm[];
}
