import type { BackendClient } from "#app/lib/backend-client.ts";
import { unwrap, unwrapWritten } from "#app/lib/backend-response.ts";

type OwnProfile = { full_name: string | null; email: string | null; phone: string | null };

/**
 * A user's own profile, null when there is none.
 * @throws BackendFailure
 */
export async function findOwnProfile(client: BackendClient, userId: string): Promise<OwnProfile | null> {
  const rows = unwrap(
    await client.from("profiles").select("full_name, email, phone").eq("id", userId).limit(1),
  );
  return rows[0] ?? null;
}

/** @throws BackendFailure */
export async function updateOwnPhone(client: BackendClient, userId: string, phone: string): Promise<void> {
  unwrapWritten(await client.from("profiles").update({ phone }).eq("id", userId).select("id"));
}
