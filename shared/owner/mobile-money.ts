import type { Shop } from "./settings.ts";

type Wallet = Pick<
  Shop,
  "mobileMoneyNetwork" | "mobileMoneyNumber" | "mobileMoneyName" | "mobileMoneyReference"
>;

/**
 * Where to send mobile money by hand, and what to write as the reference; none if the owner has set no number.
 * @param order its number, or words for it where it has none yet
 */
export function mobileMoneyFacts(shop: Wallet, order: string): [name: string, value: string][] {
  if (!shop.mobileMoneyNumber) return [];
  const facts: [string, string][] = [
    ["Network", shop.mobileMoneyNetwork],
    ["Number", shop.mobileMoneyNumber],
    ["Name", shop.mobileMoneyName],
    ["Reference", shop.mobileMoneyReference.replaceAll("{order}", order)],
  ];
  return facts.filter(([, value]) => value !== "");
}
