import type { BackendClient } from "#app/lib/backend-client.ts";
import { unwrap, unwrapWritten } from "#app/lib/backend-response.ts";
import type { RememberedDelivery } from "#app/lib/delivery.ts";

type OwnProfile = {
  full_name: string | null;
  email: string | null;
  phone: string | null;
} & RememberedDelivery;

/**
 * A user's own profile, null when there is none.
 * @throws BackendFailure
 */
export async function findOwnProfile(client: BackendClient, userId: string): Promise<OwnProfile | null> {
  const rows = unwrap(
    await client
      .from("profiles")
      .select("full_name, email, phone, region, landmark, digital_address, delivery_method, bus_station")
      .eq("id", userId)
      .limit(1),
  );
  return rows[0] ?? null;
}

/** @throws BackendFailure */
export async function updateOwnProfile(
  client: BackendClient,
  userId: string,
  changes: Partial<Pick<OwnProfile, "phone"> & RememberedDelivery>,
): Promise<void> {
  unwrapWritten(await client.from("profiles").update(changes).eq("id", userId).select("id"));
}
