import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap, unwrapWritten } from "#app/lib/backend/response.ts";
import { REMEMBERED_COLUMNS, type RememberedDelivery } from "#shared/orders/order-fields.ts";

/** Where their orders go; empty until they have said so. */
type RememberedAddress = { address: string | null; city: string | null; postal_code: string | null };

export type OwnProfile = {
  full_name: string | null;
  email: string | null;
  phone: string | null;
} & RememberedAddress &
  RememberedDelivery;

export const PROFILE_COLUMNS =
  `${REMEMBERED_COLUMNS}full_name, email, phone, address, city, postal_code` as const;

/**
 * A user's own profile, null when there is none.
 * @throws BackendFailure
 */
export async function findOwnProfile(client: BackendClient, userId: string): Promise<OwnProfile | null> {
  const rows = unwrap(await client.from("profiles").select(PROFILE_COLUMNS).eq("id", userId).limit(1));
  return rows[0] ?? null;
}

/** @throws BackendFailure */
export async function updateOwnProfile(
  client: BackendClient,
  userId: string,
  changes: Partial<Omit<OwnProfile, "email">>,
): Promise<void> {
  unwrapWritten(await client.from("profiles").update(changes).eq("id", userId).select("id"));
}

/**
 * Everything that the shop holds about the user, as JSON; amounts in cedis.
 * @throws BackendFailure
 */
export async function readOwnData(client: BackendClient): Promise<unknown> {
  return unwrap(await client.rpc("own_data"));
}
