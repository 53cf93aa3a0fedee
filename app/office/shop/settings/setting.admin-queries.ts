import type { BackendClient } from "#app/lib/backend/client.ts";
import { postToSite } from "#app/lib/backend/post-to-site.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import type { Json } from "#shared/calls/database.types.ts";
import { type SettingName, type Shop, settings, shopWith } from "#shared/owner/settings.ts";

/** The shop's current values, and when each that has been changed was last changed. */
export type SavedSettings = { shop: Shop; seen: Partial<Record<SettingName, string>> };

const isSetting = (name: string): name is SettingName => Object.hasOwn(settings, name);

/** @throws BackendFailure */
export async function findSettings(client: BackendClient): Promise<SavedSettings> {
  const rows = unwrap(await client.from("shop_settings").select("id, value, updated_at"));
  return {
    shop: shopWith(Object.fromEntries(rows.map(({ id, value }) => [id, value]))),
    seen: Object.fromEntries(rows.map(({ id, updated_at }) => [id, updated_at])),
  };
}

/**
 * Changes all of these settings or none.
 * @param seen as they were read
 * @throws BackendFailure, with the code `invalid_field` and the setting's name as `field`, or `settings_changed` when someone else
 *   has changed one since
 */
export async function updateSettings(
  client: BackendClient,
  values: Partial<Shop>,
  seen: SavedSettings["seen"],
): Promise<void> {
  unwrap(await client.rpc("update_settings", { _values: values as Json, _seen: seen as Json }));
}

/**
 * Takes a step off the list of what is to do before the shop opens, for all admins.
 * @throws BackendFailure
 */
export async function noteOpeningDone(client: BackendClient, key: string): Promise<void> {
  const { shop, seen } = await findSettings(client);
  if (shop.openingDone.includes(key)) return;
  await updateSettings(client, { openingDone: [...shop.openingDone, key] }, seen);
}

/**
 * How many orders would lose their names now, if it were after so many years.
 * @throws BackendFailure
 */
export async function countOldOrders(client: BackendClient, years: number): Promise<number> {
  return unwrap(await client.rpc("count_old_orders", { _years: years }));
}

/** An earlier value of a setting: what it was until someone changed it. */
export type EarlierValue = {
  id: number;
  name: SettingName;
  /** Null: the value that it has before the first change. */
  value: Json | null;
  until: string;
  changedBy: string;
};

const MAX_CHANGES = 500;

/**
 * What settings were before each of their latest changes, newest first.
 * @throws BackendFailure
 */
export async function listEarlierValues(client: BackendClient): Promise<EarlierValue[]> {
  const rows = unwrap(
    await client.rpc("admin_list_audit", { _table_name: "shop_settings", _page_size: MAX_CHANGES }),
  );
  return rows.flatMap(({ id, row_id: name, before, happened_at, actor_name, actor_email, actor }) =>
    // What no person wrote is a new shop's beginning.
    isSetting(name) && actor
      ? {
          id,
          name,
          value: (before as { value?: Json } | null)?.value ?? null,
          until: happened_at,
          changedBy: actor_name || actor_email || "Deleted user",
        }
      : [],
  );
}

/** What only the machine knows. */
export type MachineState = {
  variables: { name: string; what: string; isSet: boolean }[];
  hasMailServer: boolean;
  /** Null with a hosted project, whose backups are its host's. */
  hasBackup: boolean | null;
};

/** @throws BackendFailure */
export const findMachineState = async (client: BackendClient) =>
  (await postToSite(client, "/admin/settings/machine")) as MachineState;

/**
 * Sends a test email to the shop's owner.
 * @returns whether the mail server took it, and its response in its own words
 * @throws BackendFailure
 */
export const sendTestEmail = async (client: BackendClient) =>
  (await postToSite(client, "/admin/settings/test-email")) as {
    sent: boolean;
    to: string;
    response: string;
  };
