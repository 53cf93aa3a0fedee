import type { Browser, Locator, Page } from "@playwright/test";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, type Member } from "#tests/support/test.ts";

/** The number that the customer reads out. */
export async function numberOf(admin: Member, orderId: string): Promise<number> {
  const { data, error } = await admin.client.from("orders").select("number").eq("id", orderId).single();
  if (error) throw error;
  return data.number;
}

/** As the back office shows it. */
export function shortId(orderId: string): string {
  return `${orderId.slice(0, 8)}…`;
}

export async function giveRole(owner: Member, userId: string, role: string): Promise<void> {
  const { error } = await owner.client.from("user_roles").insert({ user_id: userId, role });
  if (error) throw error;
}

const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** One list for all tests of a shop, since each change replaces it: a term that ended or ends, and one still to come. */
const schoolTerms = {
  past: { name: "Term 1 2026/27", from: "2026-09-15", to: "2026-12-17" },
  coming: { name: "Coming term", from: dayFromNow(30), to: dayFromNow(120) },
};

export async function setSchoolTerms(admin: Member) {
  await setSetting(admin, "schoolTerms", Object.values(schoolTerms));
  return schoolTerms;
}

/** Whether emails about a status leave at once, as in a shop whose owner wants no pause. */
export const sendStatusEmailsAtOnce = (admin: Member, atOnce = true) =>
  setSetting(admin, "statusEmailSeconds", atOnce ? 0 : 60);

async function setSetting(admin: Member, id: string, value: string | number | object[]): Promise<void> {
  const { data: stored } = await admin.client
    .from("shop_settings")
    .select("updated_at")
    .eq("id", id)
    .maybeSingle()
    .throwOnError();
  const _seen = stored ? { [id]: stored.updated_at } : {};
  await admin.client
    .rpc("update_settings", { _values: { [id]: value }, _seen } as object as never)
    .throwOnError();
}

/** The button of an order's row that says its status and opens the menu of all. */
export const statusOf = (row: Locator) => row.getByRole("button", { name: /^Status of order/ });

/** @param status as it is called in the menu */
export async function chooseStatus(row: Locator, status: string): Promise<void> {
  await statusOf(row).click();
  await row.getByRole("menuitem", { name: status, exact: true }).click();
}

type SignIn = (context: import("@playwright/test").BrowserContext, member: Member) => Promise<void>;

/** Another person's browser, signed in. */
export async function otherBrowser(browser: Browser, signIn: SignIn, member: Member): Promise<Page> {
  const context = await browser.newContext();
  await signIn(context, member);
  return context.newPage();
}

/** Opens a page of the back office and waits until it is ready. */
export async function openAdmin(page: Page, path: string, heading: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
}

/** Opens the list of books searched for one title, and answers its row. */
export async function openBook(page: Page, title: string): Promise<Locator> {
  await openAdmin(page, `/admin/books?q=${encodeURIComponent(title)}`, "Book Management");
  const row = page.getByRole("table", { name: "Book Inventory" }).getByRole("row").filter({ hasText: title });
  await expect(row).toHaveCount(1);
  return row;
}

export async function editBook(page: Page, title: string): Promise<Locator> {
  const row = await openBook(page, title);
  await row.getByRole("button", { name: `Edit ${title}` }).click();
  const dialog = page.getByRole("dialog", { name: "Edit Book" });
  await expect(dialog.getByLabel("Title")).toHaveValue(title);
  return dialog;
}

export async function openOrder(page: Page, orderId: string): Promise<Locator> {
  await openAdmin(page, `/admin/orders?q=${orderId}`, "Order Management");
  const row = page
    .getByRole("table", { name: "Orders" })
    .getByRole("row")
    .filter({ hasText: shortId(orderId) });
  await expect(row).toHaveCount(1);
  return row;
}

/** Adds a publisher by name, and what else is chosen in the dialog. */
export async function addPublisher(
  page: Page,
  name: string,
  choose: (dialog: Locator) => Promise<void> = async () => {},
): Promise<void> {
  await openAdmin(page, "/admin/publishers", "Publishers");
  await page.getByRole("button", { name: "Add publisher" }).click();
  const dialog = page.getByRole("dialog", { name: "Add publisher" });
  await dialog.getByLabel("Name").fill(name);
  await choose(dialog);
  await dialog.getByRole("button", { name: "Add publisher" }).click();
  await expectMessage(page, `${name} added`);
}
