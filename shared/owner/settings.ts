import type { DeliveryFee } from "#shared/orders/delivery.ts";
import { isWebAddress } from "#shared/text/web-address.ts";
import { documentTerms, type Tax } from "./document-terms.ts";
import { guidance } from "./guidance.ts";
import { legalTexts } from "./legal-texts.ts";
import { quoteTerms } from "./quote-terms.ts";
import { searchWords } from "./search-words.ts";
import { shop } from "./shop.ts";
import { oftenEmpty } from "./shown-shop.ts";
import { story } from "./story.ts";

/**
 * The one list of the settings that admins change in the back office, from which the form, its checks and the pages' values follow.
 * private.setting_rules (supabase/schema/1-ground/12-settings.sql) is the database's half of it; a test compares the two. What is
 * secret or belongs to a machine is a variable of the environment instead (server/lib/settings.ts).
 */

type Values = {
  /** One line. */
  line: string;
  /** May have several lines. */
  text: string;
  /** One text per line. */
  lines: readonly string[];
  email: string;
  phone: string;
  phones: readonly string[];
  url: string;
  /** A whole number. */
  number: number;
  yes: boolean;
  choice: string;
  fees: readonly DeliveryFee[];
  taxes: readonly Tax[];
  /** Words that mean the same, on one line. */
  words: readonly (readonly string[])[];
  terms: readonly SchoolTerm[];
};

/** From its first to its last day, as '2026-09-15'. */
export type SchoolTerm = { name: string; from: string; to: string };

export type SettingKind = keyof Values;

type Definition<Kind extends SettingKind = SettingKind> = {
  [K in Kind]: {
    kind: K;
    /** As the form shows it and a refusal names it. */
    label: string;
    /** The section of the form; null for what another page changes. */
    group: SettingGroup | null;
    /** The value of a shop that was opened with the demo, until an admin changes it. */
    first: Values[K];
    /** Characters of a text or of each line; a number's largest value. */
    max: number;
    min?: number;
    required?: true;
    /** Of a choice: its values, and what each is called. */
    choices?: Readonly<Record<string, string>>;
    hint?: string;
    /**
     * Who reads it: 'page' values come with every page, 'server' values are read on the server alone, though they are public, and
     * 'staff' values are for admins and the server's own work.
     */
    reader: "page" | "server" | "staff";
  };
}[Kind];

export const settingGroups = {
  shop: "Shop",
  contact: "Contact",
  home: "Home page",
  claims: "Figures and claims",
  story: "About page",
  guidance: "Guidance page",
  delivery: "Delivery",
  payment: "Payment and tax",
  search: "Search, stock and reports",
  notices: "Emails",
  staff: "Staff",
  law: "Law",
} as const;

export type SettingGroup = keyof typeof settingGroups;

const line = (group: SettingGroup, label: string, first: string, more: Partial<Definition<"line">> = {}) =>
  ({ kind: "line", group, label, first, max: 200, reader: "page", ...more }) as const;

const text = (group: SettingGroup, label: string, first: string, more: Partial<Definition<"text">> = {}) =>
  ({ kind: "text", group, label, first, max: 1000, reader: "page", ...more }) as const;

const figure = (label: string, first: string, hint: string) =>
  line("claims", label, first, { max: 20, reader: "server", hint });

const orNone = "Leave it empty to show none.";

export const settings = {
  name: line("shop", "Name", shop.name, { max: 60, required: true }),
  tagline: line("shop", "Tagline", shop.tagline, { required: true, hint: "Without a full stop." }),
  description: text("shop", "Description", shop.description, {
    max: 300,
    hint: "For search engines and link previews.",
  }),
  legalName: line("shop", "Legal name", shop.legalName, {
    hint: "The registered name of the business. Leave it empty if that is the shop's name.",
  }),
  registrationNumber: line("shop", "Registration number", shop.registrationNumber, { max: 60 }),
  taxNumber: line("shop", "Tax number (TIN)", shop.taxNumber, {
    max: 60,
    hint: "Printed on invoices and receipts.",
  }),

  address: {
    kind: "lines",
    group: "contact",
    label: "Address",
    first: shop.address,
    max: 100,
    reader: "page",
    hint: "One line of the address per line.",
  },
  mapLink: {
    kind: "url",
    group: "contact",
    label: "Map link",
    first: shop.mapLink,
    max: 500,
    reader: "page",
    hint: "Where the address is on a map, such as a Google Maps link.",
  },
  phones: {
    kind: "phones",
    group: "contact",
    label: "Phone numbers",
    first: shop.phones,
    max: 30,
    reader: "page",
    hint: "One per line. Invoices show the first.",
  },
  whatsApp: {
    kind: "phone",
    group: "contact",
    label: "WhatsApp number",
    first: shop.whatsApp,
    max: 30,
    reader: "page",
  },
  email: { kind: "email", group: "contact", label: "Email", first: shop.email, max: 254, reader: "page" },
  openingHours: {
    kind: "lines",
    group: "contact",
    label: "Opening hours",
    first: shop.openingHours,
    max: 100,
    reader: "page",
    hint: "One line per line, such as 'Sat 9:00 AM-3:00 PM'.",
  },
  replyPromise: line("contact", "When you reply", shop.replyPromise, {
    max: 100,
    reader: "server",
    hint: `Above the form on the contact page. ${orNone}`,
  }),
  facebook: {
    kind: "url",
    group: "contact",
    label: "Facebook page",
    first: shop.facebook,
    max: 500,
    reader: "page",
  },
  instagram: {
    kind: "url",
    group: "contact",
    label: "Instagram page",
    first: shop.instagram,
    max: 500,
    reader: "page",
  },

  headline: line("home", "Headline", shop.headline, { max: 80, required: true, reader: "server" }),
  headlineEnd: line("home", "End of the headline, in gold", shop.headlineEnd, { max: 80, reader: "server" }),
  introduction: text("home", "Introduction", shop.introduction, { max: 300, reader: "server" }),
  deliveryPromise: line("home", "Promise after the introduction", shop.deliveryPromise, { reader: "server" }),
  publishersIntroduction: text("home", "Beside the publishers", shop.publishersIntroduction, {
    max: 300,
    hint: orNone,
    reader: "server",
  }),

  years: figure(
    "Years",
    shop.years,
    "For example, 10+. Shown on the home page and the About page. Leave it empty to hide it.",
  ),
  yearsInWords: line("claims", "Years in words", shop.yearsInWords, {
    max: 40,
    reader: "server",
    hint: "For example, 'over 10 years'. Shown in search results together with the regions, as below.",
  }),
  publishers: figure(
    "Publishers",
    shop.publishers,
    "For example, 6. Shown on the home page and the About page.",
  ),
  regions: figure("Regions", shop.regions, "For example, 16. Shown on the home page and the About page."),
  institutions: figure("Institutions", shop.institutions, "For example, 500+. Shown on the home page."),
  guidedInstitutions: figure(
    "Institutions advised",
    shop.guidedInstitutions,
    "For example, 100+. Shown on the guidance page.",
  ),
  resources: figure("Resources", shop.resources, "For example, 10K+. Shown on the guidance page."),
  satisfaction: figure("Satisfaction", shop.satisfaction, "For example, 98%. Shown on the guidance page."),
  whyChoose: text("claims", "Under 'Why Choose …'", shop.whyChoose, { max: 300, reader: "server" }),
  listsReason: text("claims", "We know the book lists", shop.listsReason, {
    max: 400,
    hint: orNone,
    reader: "server",
  }),
  parcelReason: text("claims", "Everything in one parcel", shop.parcelReason, {
    max: 400,
    hint: orNone,
    reader: "server",
  }),
  deliveryTitle: line("claims", "Delivery, in a few words", shop.deliveryTitle, {
    max: 60,
    reader: "server",
  }),
  deliveryReason: text("claims", "Delivery, as a reason to buy here", shop.deliveryReason, {
    max: 400,
    hint: orNone,
    reader: "server",
  }),
  trustReason: text("claims", "Trusted by schools", shop.trustReason, {
    max: 400,
    hint: orNone,
    reader: "server",
  }),

  storyIntroduction: text("story", "Introduction", story.storyIntroduction, { max: 300, reader: "server" }),
  story: {
    kind: "lines",
    group: "story",
    label: "Our story",
    first: story.story,
    max: 2000,
    reader: "server",
    hint: "One paragraph per line.",
  },
  mission: text("story", "Our mission", story.mission, { reader: "server" }),
  vision: text("story", "Our vision", story.vision, { reader: "server" }),

  guidanceHeadline: line("guidance", "Headline", guidance.guidanceHeadline, {
    max: 80,
    required: true,
    reader: "server",
  }),
  guidanceIntroduction: text("guidance", "Introduction", guidance.guidanceIntroduction, {
    max: 300,
    reader: "server",
  }),
  guidanceReasons: {
    kind: "lines",
    group: "guidance",
    label: "Why Choose Our Guidance",
    first: guidance.guidanceReasons,
    max: 400,
    reader: "server",
    hint: `One reason per line, as 'Title: text'. ${orNone}`,
  },
  guidanceSteps: {
    kind: "lines",
    group: "guidance",
    label: "How it works",
    first: guidance.guidanceSteps,
    max: 400,
    reader: "server",
    hint: `One step per line, as 'Title: text'. ${orNone}`,
  },
  guidanceOffer: line("guidance", "Offer below the steps", guidance.guidanceOffer, {
    max: 80,
    reader: "server",
    hint: orNone,
  }),

  deliveryFees: {
    kind: "fees",
    group: "delivery",
    label: "Delivery fees",
    first: shop.deliveryFees,
    max: 99_999.99,
    reader: "page",
    hint: "The first line that matches an order sets its fee. With no lines, delivery is free; collection is always free.",
  },
  deliveryTerms: text("delivery", "Delivery times and terms", shop.deliveryTerms, {
    hint: "At checkout, with each order and in its email. Say here what the fees above say.",
  }),

  payment: text("payment", "How customers pay", shop.payment, {
    hint: "At checkout, and with an order until it has been delivered. Not shown when customers pay online.",
  }),
  mobileMoneyNetwork: line("payment", "Mobile money: network", "", {
    max: 40,
    hint: "Such as MTN MoMo. With the number below, it is shown at checkout, with each order that isn't paid, in its email and on its invoice.",
  }),
  mobileMoneyNumber: line("payment", "Mobile money: number", "", {
    max: 30,
    hint: "As customers type it to pay, such as 0244 123 456 or a merchant's number. Leave it empty to show none.",
  }),
  mobileMoneyName: line("payment", "Mobile money: name", "", {
    max: 60,
    hint: "The registered name that customers see before they confirm.",
  }),
  mobileMoneyReference: line("payment", "Mobile money: reference", "{order}", {
    max: 60,
    hint: "What customers write as the reference; {order} becomes the order's number. Orders are found by it.",
  }),
  taxes: {
    kind: "taxes",
    group: "payment",
    label: "Taxes included in the prices",
    first: documentTerms.taxes,
    max: 100,
    reader: "page",
    hint: "As a percentage of the price before tax. With no lines, invoices show no tax.",
  },
  howToPay: text("payment", "How to pay, on invoices", documentTerms.howToPay, {
    hint: "{order} becomes the order's number. Bank details belong here.",
  }),
  deliveryNote: text("payment", "At the foot of a delivery note", documentTerms.deliveryNote),
  quotePayment: text("payment", "How to pay, on quotes", quoteTerms.quotePayment),
  quoteRequest: text("payment", "Above the form that requests a quote", quoteTerms.quoteRequest),

  searchOrder: {
    kind: "choice",
    group: "search",
    label: "Searches are sorted by",
    first: "title",
    choices: { title: "Title", best: "Best match" },
    max: 20,
    reader: "page",
  },
  searchWords: {
    kind: "words",
    group: "search",
    label: "Words that mean the same",
    first: searchWords,
    max: 100,
    reader: "staff",
    hint: "One line for each group of words, with commas between them. A search that finds little also looks for the other words of a line.",
  },
  lowStock: {
    kind: "number",
    group: "search",
    label: "Low stock is fewer than",
    first: 10,
    min: 1,
    max: 1000,
    reader: "page",
    hint: "For the dashboard, the list of books and the email about low stock; customers see how many copies are left.",
  },
  downloadTimes: {
    kind: "number",
    group: "search",
    label: "Downloads of a file for each copy",
    first: 5,
    min: 1,
    max: 100,
    reader: "staff",
    hint: "How often a customer can download a file of a digital title. Resuming an interrupted download doesn't count.",
  },
  downloadHours: {
    kind: "number",
    group: "search",
    label: "Hours for which a download link works",
    first: 24,
    min: 1,
    max: 168,
    reader: "staff",
    hint: "Customers get a new link from their order for each download.",
  },
  countAgainAbove: {
    kind: "number",
    group: "search",
    label: "Count again above a difference of",
    first: 5,
    min: 0,
    max: 1000,
    reader: "staff",
    hint: "Copies. When stock is counted, a book that differs by more is counted a second time.",
  },

  moreOnTheWay: {
    kind: "yes",
    group: "search",
    label: "Customers see 'More on their way'",
    first: false,
    max: 0,
    reader: "page",
    hint: "On the page of a book that is sold out or nearly sold out, while copies are on order from a supplier.",
  },
  schoolTerms: {
    kind: "terms",
    group: "search",
    label: "School terms",
    first: [] as readonly SchoolTerm[],
    max: 60,
    reader: "staff",
    hint: "For reports, one per line: 'Term 1 2026/27: 2026-09-15 to 2026-12-17'.",
  },

  ownerEmail: {
    kind: "email",
    group: "notices",
    label: "Your email for notices",
    first: "",
    max: 254,
    reader: "staff",
    hint: "Receives new orders and low stock, and the replies to the shop's emails. Empty: SHOP_EMAIL, or the shop's email.",
  },

  statusEmailSeconds: {
    kind: "number",
    group: "notices",
    label: "Seconds before an email about a status leaves",
    first: 60,
    min: 0,
    max: 600,
    reader: "staff",
    hint: "Until then staff can take a change back, and the customer doesn't hear of it. 0: emails leave at once.",
  },

  legalStatus: line("law", "Legal status", "", {
    reader: "server",
    hint: "Such as private limited company, partnership or sole proprietorship.",
  }),
  placeOfRegistration: line("law", "Place of registration", "", {
    reader: "server",
    hint: "Such as Accra, Ghana.",
  }),
  officeBearers: {
    kind: "lines",
    group: "law",
    label: "Office bearers",
    first: [],
    max: 100,
    reader: "server",
    hint: "Directors, partners or the owner, one per line.",
  },
  memberships: {
    kind: "lines",
    group: "law",
    label: "Memberships",
    first: [],
    max: 200,
    reader: "server",
    hint: "Self-regulatory or trade bodies with their contact details, one per line; 'None' if there are none.",
  },
  codeOfConduct: line("law", "Code of conduct", "", {
    reader: "server",
    hint: "Its name and where customers can read it; 'None' if you follow none.",
  }),
  disputes: text("law", "Settling disputes", "", {
    reader: "server",
    hint: "The code for settling disputes outside a court that you follow and where to read it, or that you follow none, as a sentence.",
  }),
  dataProtectionNumber: line("law", "Data Protection Commission number", "", {
    max: 60,
    reader: "server",
    hint: "The number of your registration under the Data Protection Act.",
  }),
  deliveryAndReturns: text("law", "Delivery and returns", legalTexts.deliveryAndReturns, {
    max: 20_000,
    reader: "server",
  }),
  terms: text("law", "Terms", legalTexts.terms, { max: 20_000, reader: "server" }),
  privacy: text("law", "Privacy", legalTexts.privacy, { max: 20_000, reader: "server" }),
  forgetOrdersAfterYears: {
    kind: "number",
    group: "law",
    label: "Years until names are removed from orders",
    first: 0,
    min: 0,
    max: 50,
    reader: "server",
    hint: "From orders that were delivered and paid or were cancelled, every night. 0: never.",
  },
  forgetRegistrationsAfterDays: {
    kind: "number",
    group: "law",
    label: "Days until registrations for events are deleted",
    first: 30,
    min: 1,
    max: 365,
    reader: "server",
    hint: "Days after the event; deleted every night. The number of registrations remains.",
  },
  staffSecondStep: {
    kind: "yes",
    group: "staff",
    label: "Staff need a second step at sign-in",
    first: false,
    max: 0,
    reader: "staff",
    hint: "A code from an app on their phone. Staff who haven't set it up are asked to. Set up your own first, under My Account.",
  },
  openingDone: {
    kind: "lines",
    group: null,
    label: "Done or dismissed on the dashboard's list of first steps",
    first: [],
    max: 60,
    reader: "staff",
  },
} as const satisfies Record<string, Definition>;

export type SettingName = keyof typeof settings;
export type SettingDefinition = Definition;

/** The shop's current words and figures, by the settings' names. */
export type Shop = {
  readonly [Name in SettingName]: (typeof settings)[Name] extends { choices: infer Choices }
    ? keyof Choices
    : Values[(typeof settings)[Name]["kind"]];
};

const names = Object.keys(settings) as SettingName[];

/** The settings of a section of the form. */
export const settingsOf = (group: SettingGroup): SettingName[] =>
  names.filter((name) => settings[name].group === group);

/** What pages bring to the browser. */
const pageSettings = names.filter((name) => settings[name].reader === "page");

/** The values of a shop in which nothing has been changed. */
export const firstShop = Object.fromEntries(names.map((name) => [name, settings[name].first])) as Shop;

/**
 * What pages and emails show. An address that isn't https is left out: it would become a link.
 * @param stored the values that the database has; it has checked them
 */
export function shopWith(stored: Partial<Shop>): Shop {
  const shop = { ...firstShop, ...stored };
  const links = names.filter((name) => settings[name].kind === "url" && !isWebAddress(String(shop[name])));
  return { ...shop, ...Object.fromEntries(links.map((name) => [name, ""])) };
}

/** The part of the shop's values that each page carries, as JSON. */
export const pageValues = (shop: Shop): string =>
  JSON.stringify(
    Object.fromEntries(
      pageSettings
        .filter((name) => !(name in oftenEmpty) || shop[name] !== "")
        .map((name) => [name, shop[name]]),
    ),
  );
