import type { Page } from "@playwright/test";
import { bookPath as bookPathOf } from "#app/features/books/book-address.ts";
import { type SettingGroup, settingGroups } from "#shared/owner/settings.ts";
import { inEmptyShop } from "#tests/support/empty-shop.ts";
import { addBook, placeOrder } from "#tests/support/factories.ts";
import { openUntil } from "#tests/support/open-until.ts";
import { findMail } from "#tests/support/outbox.ts";
import { readPage, textOf } from "#tests/support/read-page.ts";
import { setUpSecondStep } from "#tests/support/second-step.ts";
import type { ShopServer } from "#tests/support/shop-server.ts";
import { expect } from "#tests/support/test.ts";
import { giveRole, openAdmin, otherBrowser } from "./back-office.ts";

const test = inEmptyShop();

type Change = {
  /** Settings that are lines of fields: what the owner types in a new one. */
  lines?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  fields: Readonly<Record<string, string>>;
  shown: readonly (readonly [path: string, words: string])[];
};

const paths = ["/", "/about", "/contact", "/guidance", "/delivery-and-returns", "/terms", "/privacy"];

/** For every section: what the owner types, and where visitors then read it. */
const changesFor = (bookPath: string): Record<SettingGroup, Change> => ({
  shop: {
    fields: { Tagline: "Books for every class in Kumasi" },
    shown: [["/", "Books for every class in Kumasi."]],
  },
  contact: { fields: { "Phone numbers": "+233 32 204 0000" }, shown: [["/contact", "+233 32 204 0000"]] },
  home: { fields: { Headline: "The whole list, packed" }, shown: [["/", "The whole list, packed"]] },
  claims: {
    fields: { "Trusted by schools": "Schools in Ashanti order here.", Satisfaction: "96%" },
    shown: [
      ["/", "Schools in Ashanti order here."],
      ["/guidance", "96%"],
    ],
  },
  story: {
    fields: { "Our mission": "A book in every hand." },
    shown: [["/about", "A book in every hand."]],
  },
  guidance: {
    fields: { "Offer below the steps": "Ask us first, it costs nothing." },
    shown: [["/guidance", "Ask us first, it costs nothing."]],
  },
  delivery: {
    lines: { "Delivery fees": { "For books under (GH₵)": "20", "Fee (GH₵)": "33" } },
    fields: {},
    shown: [["/delivery-and-returns", "Everywhere in Ghana, books for less than GH₵20.00: GH₵33.00"]],
  },
  payment: {
    fields: { "How customers pay": "Mobile money when the parcel comes." },
    shown: [["/terms", "Mobile money when the parcel comes."]],
  },
  search: {
    fields: { "Low stock is fewer than": "3", "Searches are sorted by": "Best match" },
    shown: [
      [bookPath, "In stock"],
      // The usual order is the first of the choices.
      ["/shop?q=reader", "Best match firstSort by title"],
    ],
  },
  // What visitors don't see: the test looks at it itself.
  notices: { fields: { "Your email for notices": "desk@kente.example" }, shown: [] },
  staff: { fields: { "Staff need a second step at sign-in": "Yes" }, shown: [] },
  law: { fields: { "Legal status": "Partnership" }, shown: [["/terms", "Partnership"]] },
});

const formOf = (page: Page, group: SettingGroup) => page.getByRole("form", { name: settingGroups[group] });

const fieldOf = (page: Page, group: SettingGroup, label: string) =>
  formOf(page, group).getByLabel(label, { exact: true });

async function openGroup(page: Page, group: SettingGroup): Promise<void> {
  const sections = page.getByRole("navigation", { name: "Settings" });
  await sections.getByRole("link", { name: settingGroups[group], exact: true }).click();
  await expect(formOf(page, group)).toBeVisible();
}

const linesOf = (page: Page, group: SettingGroup, label: string) =>
  formOf(page, group).getByRole("group", { name: label, exact: true });

/** Fills in a section's fields by their labels, and saves them. */
async function saveGroup(
  page: Page,
  group: SettingGroup,
  fields: Change["fields"],
  lines: Change["lines"] = {},
): Promise<void> {
  await openGroup(page, group);
  for (const [label, cells] of Object.entries(lines)) {
    const list = linesOf(page, group, label);
    await list.getByRole("button", { name: /^Add / }).click();
    for (const [cell, words] of Object.entries(cells))
      await list.getByLabel(cell, { exact: true }).fill(words);
  }
  for (const [label, words] of Object.entries(fields)) {
    const field = fieldOf(page, group, label);
    if (await field.evaluate((element) => element.tagName === "SELECT"))
      await field.selectOption({ label: words });
    else await field.fill(words);
  }
  const save = formOf(page, group).getByRole("button", { name: "Save", exact: true });
  await save.click();
  await expect(save).toBeDisabled();
}

/** Restores each of a section's fields to its latest earlier value. */
async function restoreGroup(
  page: Page,
  group: SettingGroup,
  before: Change["fields"],
  lines: Change["lines"] = {},
): Promise<void> {
  await openGroup(page, group);
  await page.getByText("Earlier values", { exact: true }).click();
  for (const label of Object.keys(lines)) {
    await page
      .getByRole("button", { name: `Restore ${label} as it was until` })
      .first()
      .click();
    await expect(linesOf(page, group, label).getByRole("button", { name: /^Remove / })).toHaveCount(0);
  }
  for (const [label, words] of Object.entries(before)) {
    await page
      .getByRole("button", { name: `Restore ${label} as it was until` })
      .first()
      .click();
    await expect(fieldOf(page, group, label)).toHaveValue(words);
  }
}

/** What visitors read, without the number of the terms' version, which every change raises. */
async function readPages(of: readonly string[], shop: ShopServer): Promise<Record<string, string>> {
  const texts = of.map(async (path) => {
    const { document } = await readPage(path, shop);
    for (const script of document.querySelectorAll("script, style")) script.remove();
    return [path, textOf(document).replace(/Version \d+, from \d+ \w+ \d{4}/, "")];
  });
  return Object.fromEntries(await Promise.all(texts));
}

test("an owner changes every section of the settings, visitors and staff see it, and restoring brings every page back as it was", async ({
  page,
  context,
  browser,
  shop,
  admin,
  member,
  newMember,
  signIn,
}) => {
  test.slow();
  const book = await addBook(admin.client, { publisher: "Adom Press", stock_quantity: 5 });
  const bookPath = bookPathOf(book);
  const changes = changesFor(bookPath);
  const groups = Object.keys(settingGroups) as SettingGroup[];
  const owner = await newMember();
  await giveRole(admin, owner.id, "admin");
  const looked = [...paths, bookPath, "/shop?q=reader"];
  // Once the home page shows the book, every page is of the catalogue's latest state.
  await expect.poll(async () => (await readPages(["/"], shop))["/"]).toContain(book.title);
  const before = await readPages(looked, shop);
  // What the owner will ask of staff.
  await setUpSecondStep(owner.client);
  await signIn(context, owner);

  await openAdmin(page, "/admin/settings", "Settings");
  const earlier: Partial<Record<SettingGroup, Record<string, string>>> = {};
  for (const group of groups) {
    await openGroup(page, group);
    const labels = Object.keys(changes[group].fields);
    const values = labels.map(async (label) => [label, await fieldOf(page, group, label).inputValue()]);
    earlier[group] = Object.fromEntries(await Promise.all(values));
    await saveGroup(page, group, changes[group].fields, changes[group].lines);
  }
  await expect(async () => {
    const now = await readPages(looked, shop);
    for (const [path, words] of groups.flatMap((group) => changes[group].shown)) {
      expect(now[path], path).toContain(words);
      expect(before[path], path).not.toContain(words);
    }
  }).toPass({ timeout: 20_000 });
  const order = await placeOrder(member, book);
  expect((await findMail(shop.dataDir, "desk@kente.example")).text).toContain(book.title);
  // So that the book's page is comparable again.
  await member.client.from("orders").update({ status: "cancelled" }).eq("id", order).throwOnError();
  const staff = await otherBrowser(browser, signIn, admin);
  const required = staff.getByText("The shop requires a second step for staff.");
  await staff.goto(`${shop.url}/admin`);
  await expect(required).toBeVisible();

  await openAdmin(page, "/admin/activity?table=shop_settings", "Activity");
  await expect(page.getByRole("row").filter({ hasText: "Headline" }).first()).toContainText(
    "The whole list, packed",
  );
  await openAdmin(page, "/admin/settings", "Settings");
  for (const group of groups) await restoreGroup(page, group, earlier[group] ?? {}, changes[group].lines);
  await expect.poll(() => readPages(looked, shop)).toEqual(before);
  await openAdmin(staff, `${shop.url}/admin`, "Admin Dashboard");
  await staff.context().close();
});

/** What an owner types where the law's texts have a blank. */
const withoutBlanks = (text: string) => text.replace(/\[[^\][\s][^\][]*\]/g, "14");

test("an owner fills in the law's facts and texts, and neither the checklist nor a page has a blank left", async ({
  page,
  context,
  admin,
  signIn,
}) => {
  await signIn(context, admin);
  await openAdmin(page, "/admin/settings?group=law", "Settings");
  const checklist = page.getByRole("region", { name: "What the law asks you to publish" });
  await expect(checklist.getByText("Missing").first()).toBeVisible();
  await saveGroup(page, "shop", {
    "Legal name": "Kente Books Limited",
    "Registration number": "CS000000000",
  });
  await saveGroup(page, "contact", {
    Address: "1 High Street\nKumasi, Ghana",
    "Phone numbers": "+233 32 204 0000",
    Email: "hello@kente.example",
  });
  await saveGroup(page, "delivery", { "Delivery times and terms": "Two days in Kumasi, four elsewhere." });
  await openGroup(page, "law");
  const texts: Record<string, string> = {};
  for (const label of ["Delivery and returns", "Terms", "Privacy"])
    texts[label] = withoutBlanks(await fieldOf(page, "law", label).inputValue());
  await saveGroup(page, "law", {
    "Legal status": "Private limited company",
    "Place of registration": "Kumasi, Ghana",
    "Office bearers": "The owner",
    Memberships: "None",
    "Code of conduct": "None",
    "Settling disputes": "We follow no such code.",
    "Data Protection Commission number": "0000",
    ...texts,
  });
  await expect(checklist.getByText("Everything is there.")).toBeVisible();
  await expect(checklist.getByText("Missing")).toHaveCount(0);
  for (const path of ["/delivery-and-returns", "/terms", "/privacy"]) {
    await openUntil(page, path, async () =>
      expect(page.getByRole("main").locator("mark")).toHaveCount(0, { timeout: 500 }),
    );
    await expect(page.getByRole("main")).toContainText(path === "/terms" ? "Kente Books Limited" : "14");
  }
  await openAdmin(page, "/admin", "Admin Dashboard");
  const toDo = page.getByRole("region", { name: "Before you open" });
  await toDo.getByRole("button", { name: /^Show: Before you open/ }).click();
  await expect(toDo.getByRole("link").first()).toBeVisible();
  await expect(toDo.getByRole("link", { name: /^Fill in the blanks/ })).toHaveCount(0);
});
