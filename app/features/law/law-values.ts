import type { DeliveryFee } from "#shared/orders/delivery.ts";
import { paidOnline } from "#shared/owner/payment-terms.ts";
import type { Shop } from "#shared/owner/settings.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatCedis, pesewasFromCedis } from "#shared/text/money.ts";
import { browserData, keptData } from "./kept-data.ts";
import { type Block, type Fact, readLawText, type Values, wordsOf } from "./law-text.ts";

export type Site = { siteUrl: string; paysOnline?: boolean | undefined };

/**
 * A page's text as blocks, with the settings' values for the names in it. Earlier versions of the terms are filled from the settings of
 * their time: which names take which settings stands in private.names_in_terms, and new words around a value change earlier versions too.
 */
export const lawBlocks = (text: string, shop: Shop, site: Site): Block[] =>
  readLawText(text, lawValues(shop, site));

const cedis = (amount: number) => formatCedis(pesewasFromCedis(amount));
const orBlank = (value: string, blank: string) => value || `[${blank}]`;
const fact = (name: string, value: string): Fact => ({ name, value: wordsOf(value) });
const list = (lines: readonly string[]): Block => ({
  kind: "list",
  items: lines.map((line) => wordsOf(line)),
});

function lawValues(shop: Shop, { siteUrl, paysOnline }: Site): Values {
  const address = orBlank(shop.address.join(", "), "address");
  const phones = orBlank(shop.phones.join(", "), "phone number");
  const email = orBlank(shop.email, "email address");
  const legalName = shop.legalName || shop.name;
  const years = shop.forgetOrdersAfterYears;
  return {
    name: shop.name,
    legalName,
    responsible: legalName === shop.name ? shop.name : `${legalName} (“${shop.name}”)`,
    address,
    phones,
    email,
    contact: `${phones}, ${email}`,
    siteUrl,
    registrationNumber: orBlank(shop.registrationNumber, "registration number"),
    dataProtectionNumber: orBlank(
      shop.dataProtectionNumber,
      "registration number with the Data Protection Commission",
    ),
    deliveryTerms: orBlank(shop.deliveryTerms, "how long delivery takes"),
    deliveryFees: [list(deliveryCosts(shop.deliveryFees))],
    payment: paysOnline ? paidOnline : orBlank(shop.payment, "how customers pay"),
    paystack: paysOnline
      ? "You pay online on a page of Paystack, a payment service. What you enter there, such as a card's number, goes to Paystack and never to us."
      : "",
    paystackData: paysOnline
      ? "Paystack gets your email address, the amount and the order's number when you pay online."
      : "",
    taxes: taxSentence(shop.taxes),
    disputes: orBlank(shop.disputes, "how disputes are settled outside a court"),
    retention:
      years === 0
        ? ""
        : `From orders that have been delivered and paid or were cancelled, names and contact details are removed ${years} ${years === 1 ? "year" : "years"} after they were placed.`,
    facts: [{ kind: "facts", facts: supplierFacts(shop, { address, phones, email, siteUrl, legalName }) }],
    kept: [
      {
        kind: "facts",
        facts: keptData.map(({ what, why, until }) =>
          fact(
            what,
            `${why} ${until.replace("{registrationDays}", countOf(shop.forgetRegistrationsAfterDays, "day"))}`,
          ),
        ),
      },
    ],
    browser: [list(browserData)],
  };
}

type Contact = Record<"address" | "phones" | "email" | "siteUrl" | "legalName", string>;

/** Electronic Transactions Act, 2008 (Act 772), section 47(1)(a) to (f). */
function supplierFacts(shop: Shop, { address, phones, email, siteUrl, legalName }: Contact): Fact[] {
  return [
    fact("Shop", shop.name),
    fact("Legal name", legalName),
    fact("Legal status", orBlank(shop.legalStatus, "legal status")),
    fact("Registration number", orBlank(shop.registrationNumber, "registration number")),
    fact("Place of registration", orBlank(shop.placeOfRegistration, "place of registration")),
    fact(
      "Office bearers",
      orBlank(shop.officeBearers.join(", "), "names of directors, partners or the owner"),
    ),
    // The law doesn't ask for it, so without one the page has no blank.
    ...(shop.taxNumber ? [fact("Tax number", shop.taxNumber)] : []),
    fact("Address", address),
    fact("Phone", phones),
    fact("Email", email),
    fact("Website", siteUrl),
    fact("Memberships", orBlank(shop.memberships.join(", "), "bodies that the shop belongs to, or none")),
    fact("Code of conduct", orBlank(shop.codeOfConduct, "its name and where to read it, or none")),
  ];
}

/** After 'Prices are in Ghana cedis.' */
export const taxSentence = (taxes: Shop["taxes"]): string =>
  taxes.length === 0
    ? "They include all taxes."
    : `They include all taxes: ${taxes.map(({ name, percent }) => `${name} ${percent}%`).join(", ")}.`;

const methodWords = { deliver: "to your address", bus_station: "to a bus parcel station" } as const;

/** The owner's list of fees in words; the first line that fits an order applies. */
export function deliveryCosts(fees: readonly DeliveryFee[]): string[] {
  const lines = fees.map(({ method, regions, below, fee }, index) => {
    const before = fees.slice(0, index);
    // What an earlier line leaves of its own region isn't elsewhere.
    const leavesSome = before.some(
      (earlier) => earlier.below !== undefined || (earlier.method && earlier.method !== method),
    );
    const rest = leavesSome
      ? "All other orders"
      : before.some((earlier) => earlier.regions)
        ? "Everywhere else"
        : "Everywhere in Ghana";
    const where = regions?.join(", ") ?? rest;
    const how = method ? `, ${methodWords[method]}` : "";
    const which = below === undefined ? "" : `, books for less than ${cedis(below)}`;
    return `${where}${how}${which}: ${fee === 0 ? "free" : cedis(fee)}`;
  });
  const isForAll = ({ method, regions, below }: DeliveryFee) => !method && !regions && below === undefined;
  const isComplete = fees.some(isForAll);
  if (!isComplete)
    lines.push(fees.length > 0 ? "All other orders: free" : "Delivery everywhere in Ghana: free");
  return [...lines, "Collecting at our shop: free"];
}
