import { type SettingName, type Shop, settings } from "#shared/owner/settings.ts";
import { blanksOf } from "./law-text.ts";

/** What the law asks a shop to publish, and whether this one does. */
export type LegalFact = {
  /** Where the law says so. */
  source: string;
  fact: string;
  /** What is missing, as staff read it; empty when nothing is. */
  missing: string[];
};

type Rule = {
  source: string;
  fact: string;
  /** What must be filled in. */
  settings: readonly SettingName[];
  /** What may be empty. */
  optional?: readonly SettingName[];
};

const act772 = (letter: string) => `Act 772, section 47(1)(${letter})`;

/**
 * The 17 facts of section 47(1) of the Electronic Transactions Act, 2008 (Act 772), and what the Data Protection Act, 2012 (Act 843) adds:
 * a registration with the Data Protection Commission (sections 27 and 46 to 59). No settings: the shop itself shows the fact. Sources:
 * https://brr.gov.gh/search_detail.php?indexes_id=NTEx and https://ictpolicyafrica.org/es/document/w4j222q31dg?page=22
 */
const rules: readonly Rule[] = [
  {
    source: act772("a"),
    fact: "Full name and legal status",
    settings: ["name", "legalStatus"],
    optional: ["legalName"],
  },
  { source: act772("b"), fact: "Physical address and telephone number", settings: ["address", "phones"] },
  { source: act772("c"), fact: "Website and email address", settings: ["email"] },
  { source: act772("d"), fact: "Membership of self-regulatory bodies", settings: ["memberships"] },
  { source: act772("e"), fact: "Code of conduct and where to read it", settings: ["codeOfConduct"] },
  {
    source: act772("f"),
    fact: "Registration number, office bearers and place of registration",
    settings: ["registrationNumber", "officeBearers", "placeOfRegistration"],
    optional: ["taxNumber"],
  },
  { source: act772("g"), fact: "Description of the goods (each book's page)", settings: [] },
  {
    source: act772("h"),
    fact: "Full price with transport, taxes and all fees (before an order)",
    settings: [],
    optional: ["taxes"],
  },
  { source: act772("i"), fact: "How customers pay", settings: ["payment"] },
  { source: act772("j"), fact: "Terms and guarantees, to read, store and print", settings: ["terms"] },
  { source: act772("k"), fact: "Time within which goods are delivered", settings: ["deliveryTerms"] },
  { source: act772("l"), fact: "How customers get a record of their orders (My Orders)", settings: [] },
  {
    source: act772("m"),
    fact: "Return, exchange and refund policy",
    settings: ["deliveryAndReturns"],
  },
  { source: act772("n"), fact: "Alternative dispute resolution code", settings: ["disputes"] },
  { source: act772("o"), fact: "Security procedures and privacy policy", settings: ["privacy"] },
  { source: act772("p"), fact: "Minimum duration of recurring agreements (there are none)", settings: [] },
  { source: act772("q"), fact: "Consumers' rights under section 47", settings: ["terms"] },
  {
    source: "Act 843, sections 27 and 46",
    fact: "Registration with the Data Protection Commission",
    settings: ["dataProtectionNumber"],
  },
];

/** The law's facts in its order, each with what is missing. */
export function legalFacts(shop: Shop): LegalFact[] {
  return rules.map(({ source, fact, settings: required, optional = [] }) => ({
    source,
    fact,
    missing: [
      ...required.filter((name) => isEmpty(shop[name])).map((name) => settings[name].label),
      ...[...required, ...optional].flatMap((name) => blanksIn(name, shop[name])),
    ],
  }));
}

const isEmpty = (value: Shop[SettingName]) =>
  value === "" || (typeof value === "object" && value.length === 0);

/** Pages show a blank wherever staff left one: in a long text, in one line of several, in a tax's name. */
const blanksIn = (name: SettingName, value: Shop[SettingName]): string[] =>
  [value]
    .flat()
    .flatMap((part) => (typeof part === "object" && "name" in part ? part.name : part))
    .flatMap((part) => (typeof part === "string" ? blanksOf(part) : []))
    .map((blank) => `${settings[name].label}: [${blank}]`);

/** Those that the shop does not publish yet. */
export const missingLegalFacts = (shop: Shop): LegalFact[] =>
  legalFacts(shop).filter(({ missing }) => missing.length > 0);
