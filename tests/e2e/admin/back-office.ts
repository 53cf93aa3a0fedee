import type { Browser, Locator, Page } from "@playwright/test";
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
