import { missingLegalFacts } from "#app/features/law/legal-facts.ts";
import type { MachineState } from "#app/office/shop/settings/setting.admin-queries.ts";
import { ownShop } from "#shared/owner/own-shop.ts";
import {
  firstShop,
  type SettingGroup,
  type SettingName,
  type Shop,
  settingsOf,
} from "#shared/owner/settings.ts";

/** Something to do before the shop opens. */
export type FirstStep = { key: string; words: string; to: string };

type Facts = {
  shop: Shop;
  machine: MachineState;
  hasDemo: boolean;
  hasBooks: boolean;
  hasOrders: boolean;
};

const page = (group: SettingGroup) => `/admin/settings?group=${group}`;

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Whether a setting still says what the demo says and no other shop may. */
const isDemos = (shop: Shop, name: SettingName) =>
  Object.hasOwn(ownShop, name) &&
  isSame(shop[name], firstShop[name]) &&
  !isSame(firstShop[name], ownShop[name as keyof typeof ownShop]);

const hasDemoWords = (shop: Shop, group: SettingGroup) =>
  settingsOf(group).some((name) => isDemos(shop, name));

/** What is still the demo's, or missing, in the order in which an owner would do it. Those that are dismissed are left out. */
export function listFirstSteps({ shop, machine, hasDemo, hasBooks, hasOrders }: Facts): FirstStep[] {
  const isNamed = !isDemos(shop, "name") && shop.name !== ownShop.name;
  const steps: (FirstStep & { isDue: boolean })[] = [
    { key: "name", isDue: !isNamed, words: "Give the shop its name and tagline.", to: page("shop") },
    {
      key: "registration",
      isDue: !shop.registrationNumber,
      words: "Enter the business's registration number.",
      to: page("shop"),
    },
    {
      key: "contact",
      isDue:
        hasDemoWords(shop, "contact") || shop.address.length === 0 || shop.phones.length === 0 || !shop.email,
      words: "Enter the shop's address, phone numbers, email and opening hours.",
      to: page("contact"),
    },
    {
      key: "home",
      isDue: hasDemoWords(shop, "home"),
      words: "Write the home page's headline and introduction.",
      to: page("home"),
    },
    {
      key: "claims",
      isDue: hasDemoWords(shop, "claims"),
      words: "Replace the demo's figures and claims with yours, or empty them.",
      to: page("claims"),
    },
    {
      key: "story",
      isDue: hasDemoWords(shop, "story") || shop.story.length === 0,
      words: "Tell your story.",
      to: page("story"),
    },
    {
      key: "delivery",
      isDue: hasDemoWords(shop, "delivery") || !shop.deliveryTerms,
      words: "Say what delivery costs and how long it takes.",
      to: page("delivery"),
    },
    {
      key: "payment",
      isDue: hasDemoWords(shop, "payment"),
      words: "Say how customers pay, and what invoices and quotes say about it.",
      to: page("payment"),
    },
    {
      key: "law",
      isDue: missingLegalFacts(shop).length > 0,
      words: "Fill in the blanks in the terms, the privacy page, and delivery and returns.",
      to: page("law"),
    },
    {
      key: "demo-books",
      isDue: hasDemo,
      words: "Remove the demo books with the command 'npm run clear-demo', and import yours.",
      to: "/admin/books/import",
    },
    {
      key: "books",
      isDue: !hasBooks,
      words: "Import your books from a price list, or add them one by one.",
      to: "/admin/books/import",
    },
    {
      key: "staff",
      isDue: true,
      words: "Give everyone who works here an account and duties of their own, and keep yours for yourself.",
      to: "/admin/users",
    },
    {
      key: "mail",
      isDue: true,
      words: machine.hasMailServer
        ? "Send a test email."
        : "Set up a mail server (SMTP_URL and MAIL_FROM), then send a test email.",
      to: page("notices"),
    },
    {
      key: "backup",
      isDue: machine.hasBackup === false,
      words: "Make a first backup with the command 'npm run backup', and keep a copy on another machine.",
      to: "/admin/settings?group=machine",
    },
    {
      key: "order",
      isDue: hasBooks && !hasOrders,
      words: "Place a first order as a customer would, follow it to the end, then cancel it.",
      to: "/shop",
    },
  ];
  return steps.filter(({ key, isDue }) => isDue && !shop.openingDone.includes(key));
}
