import { type Shop, shopWith } from "#shared/owner/settings.ts";
import type { CallDatabase } from "../lib/call-database.ts";

/** The shop's name and words as they are now; with the secret key's or the owner's rights, the private settings too. */
export async function readShop(call: CallDatabase): Promise<Shop> {
  return shopWith((await call("list_settings", {})) as Partial<Shop>);
}

/**
 * Where the owner's emails go, and the replies to the shop's.
 * @param shopEmail the variable SHOP_EMAIL
 */
export const ownerAddress = ({ ownerEmail, email }: Shop, shopEmail: string | null): string | null =>
  ownerEmail || shopEmail || email || null;
