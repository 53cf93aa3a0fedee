import { firstShop, pageValues, type Shop } from "#shared/owner/settings.ts";
import type { ShownShop } from "#shared/owner/shown-shop.ts";

/** Shown from this age on only while they can't be read again. */
const SHOWN_MS = 1_000;

/**
 * The settings that pages show, read once per state of the catalogue, which a changed setting changes too. While they can't be
 * read, pages show those that were read last.
 * @param read the shop's current values
 */
export function createShownShop(read: () => Promise<Shop>, now = Date.now) {
  let latest: { state: string | null; readAt: number; shown: Promise<ShownShop> } | null = null;
  let last = shownOf(firstShop);

  const readAgain = async (): Promise<ShownShop> => {
    try {
      last = shownOf(await read());
    } catch {
      latest = null;
    }
    return last;
  };

  return (state: string | null): Promise<ShownShop> => {
    const isCurrent = state === null ? latest && now() - latest.readAt < SHOWN_MS : latest?.state === state;
    if (!latest || !isCurrent) latest = { state, readAt: now(), shown: readAgain() };
    return latest.shown;
  };
}

const shownOf = (shop: Shop): ShownShop => ({ shop, json: pageValues(shop) });
