import type { Browser, Locator, Page } from "@playwright/test";
import { expect, type Member } from "#tests/support/test.ts";

type BookInput = {
  title?: string;
  price?: number;
  stock_quantity?: number;
  publisher?: string;
  isbn?: string;
};

let made = 0;

/** A title that no other test uses. */
export function newTitle(words: string): string {
  made += 1;
  return `${words} ${process.pid.toString(36)}${Date.now().toString(36)}${made}`;
}

/** An ISBN that no other test uses, in both its lengths. */
export function newIsbn() {
  const digits = String(Math.floor(Math.random() * 1e9)).padStart(9, "0");
  const weigh = (text: string, weight: (at: number) => number) =>
    [...text].reduce((sum, digit, at) => sum + Number(digit) * weight(at), 0);
  const last10 = (11 - (weigh(digits, (at) => 10 - at) % 11)) % 11;
  const last13 = (10 - (weigh(`978${digits}`, (at) => (at % 2 ? 3 : 1)) % 10)) % 10;
  return { isbn13: `978-${digits}-${last13}`, isbn10: `${digits}${last10 === 10 ? "X" : last10}` };
}

/** Puts a book into the shop; it is the newest one. */
export async function addBook(admin: Member, book: BookInput = {}) {
  const { data, error } = await admin.client
    .from("books")
    .insert({ title: newTitle("Atlas"), publisher: "Collins", price: 50, stock_quantity: 20, ...book })
    .select("id, title, price, stock_quantity")
    .single();
  if (error) throw error;
  return data;
}

export async function stockOf(admin: Member, bookId: string): Promise<number> {
  const { data, error } = await admin.client.from("books").select("stock_quantity").eq("id", bookId).single();
  if (error) throw error;
  return data.stock_quantity;
}

/** Orders copies of one book as a customer does at the checkout, to somewhere else if wanted; answers the order's id. */
export async function placeOrder(
  member: Member,
  book: { id: string; price: number },
  quantity: number,
  delivery: { shipping_address?: string; recipient_name?: string } = {},
): Promise<string> {
  const id = crypto.randomUUID();
  const inCart = await member.client.rpc("add_to_cart", { _book_id: book.id, _quantity: quantity });
  if (inCart.error) throw inCart.error;
  const { error } = await member.client.from("orders").insert({
    id,
    user_id: member.id,
    total_amount: book.price * quantity,
    status: "pending",
    shipping_address: "4 School Lane, Kumasi",
    recipient_name: "Storekeeper of the test",
    recipient_email: "store@school.example",
    recipient_phone: "+233209876543",
    ...delivery,
  });
  if (error) throw error;
  return id;
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

/** Opens a page of the back office and waits until it stands. */
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
