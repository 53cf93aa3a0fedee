import type { Page } from "@playwright/test";
import { addBook, newTitle, placeOrder, stockOf } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, expectAccessibleAtWidths, type Member, test } from "#tests/support/test.ts";
import { openAdmin, openOrder, shortId } from "./back-office.ts";

test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

const log = (page: Page) => page.getByRole("table", { name: "Activity" });
const entries = (page: Page) => log(page).getByRole("row");

/** Opens the log of one row by its id, and waits until it is read: placeholders are rows too. */
async function openHistory(page: Page, rowId: string) {
  await openAdmin(page, `/admin/activity?q=${rowId}`, "Activity");
  await expect(log(page)).not.toHaveAttribute("aria-busy", "true");
}

async function removeRow(admin: Member, table: "books" | "orders" | "reviews", id: string) {
  const { error } = await admin.client.from(table).delete().eq("id", id);
  if (error) throw error;
}

/** A review from the demo shop; a test that deletes it restores it. */
async function someReview(admin: Member, index: number) {
  const { data, error } = await admin.client.rpc("admin_list_reviews", {
    _page_size: 50,
    _descending: false,
  });
  if (error) throw error;
  const review = data[index];
  if (!review) throw new Error("The demo shop has too few reviews");
  return review;
}

test("an entry shows who did what and when, and each changed field before and after", async ({
  page,
  admin,
}) => {
  const book = await addBook(admin.client, { price: 45.5, stock_quantity: 1200 });
  const { error } = await admin.client
    .from("books")
    .update({ price: 60, stock_quantity: 8, subject: "Geography" })
    .eq("id", book.id);
  expect(error).toBeNull();
  await openHistory(page, book.id);
  await expect(entries(page)).toHaveCount(3);

  const changed = entries(page).nth(1);
  await expect(changed).toContainText("Book changed");
  await expect(changed.getByRole("link", { name: book.title })).toBeVisible();
  for (const [field, before, after] of [
    ["Price", "GH₵45.50", "GH₵60.00"],
    ["Stock Quantity", "1,200", "8"],
    ["Subject", "empty", "Geography"],
  ])
    await expect(changed).toContainText(new RegExp(`${field}: *from ${before} → +to ${after}`));
  await expect(changed).not.toContainText("Publisher");
  await expect(changed.getByRole("cell").nth(1)).toHaveText(/^\d{1,2} \w{3,4} \d{4}, \d\d:\d\d$/);
  const { data: profile } = await admin.client
    .from("profiles")
    .select("full_name, email")
    .eq("id", admin.id)
    .single();
  const name = profile?.full_name || profile?.email || "";
  await expect(changed.getByRole("cell").nth(2)).toHaveText(name);

  const added = entries(page).nth(2);
  await expect(added).toContainText("Book added");
  await expect(added).toContainText("Publisher: Collins");
  await expect(added).not.toContainText("→");
  await expect(page.getByText("2 entries", { exact: true })).toBeVisible();
});

test("it is filtered by kind and by person, in pages of 50 with the exact count, all in the URL", async ({
  page,
  admin,
  member,
}) => {
  const words = newTitle("Ledger");
  const books = Array.from({ length: 60 }, (_, n) => ({
    title: `${words} ${n}`,
    price: 5,
    stock_quantity: 1,
  }));
  expect((await admin.client.from("books").insert(books)).error).toBeNull();
  const book = await addBook(admin.client);
  const order = await placeOrder(member, book, 1);

  await openAdmin(page, "/admin", "Admin Dashboard");
  await page.getByRole("link", { name: "Activity", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Activity" })).toBeVisible();
  await page.getByLabel("Filter by kind").selectOption("Books");
  await expect(page).toHaveURL(/table=books/);
  // The newest entry of all is the order's; a click while the lists change places may be lost.
  await expect(entries(page).nth(1)).toContainText(book.title);
  await page.getByRole("link", { name: "Next page" }).click();
  await expect(page).toHaveURL(/page=2/);
  await expect(entries(page).nth(1)).toContainText("Book");
  await expect(page.getByText(/^51–(?:100|\d+) of [\d,]+ entries$/)).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Filter by kind")).toHaveValue("books");

  // A customer's name in an entry leads to what they did.
  await openHistory(page, order);
  await expect(entries(page).nth(1)).toContainText("Order placed");
  await expect(entries(page).nth(1)).toContainText("Total: GH₵50.00");
  await entries(page).nth(1).getByRole("link", { name: "Reader of the test" }).click();
  await expect(page).toHaveURL(new RegExp(`person=${member.id}`));
  await expect(page.getByLabel("Filter by person")).toHaveValue(member.id);
  await expect(page.getByText("1 entry", { exact: true })).toBeVisible();
  await page.getByLabel("Filter by kind").selectOption("Reviews");
  await expect(page.getByText("No activity found", { exact: true })).toBeVisible();
  const { data: count } = await admin.client.rpc("admin_count_audit", { _actor: admin.id });
  await page.goto(`/admin/activity?person=${admin.id}`);
  await expect(
    page.getByText(new RegExp(`of ${(count ?? 0).toLocaleString("en-GB")} entries$`)),
  ).toBeVisible();
});

test("an invalid URL shows everything, and a log that cannot be read offers to try again", async ({
  page,
}) => {
  await openAdmin(page, "/admin/activity?table=nothing&person=me&page=x", "Activity");
  await expect(entries(page).nth(1)).toBeVisible();
  await page.route(/rpc\/admin_list_audit/, (route) =>
    route.fulfill({ status: 400, json: { message: "x" } }),
  );
  await page.getByRole("searchbox").fill("anybody");
  await expect(page.getByRole("alert")).toContainText("Failed to load entries: Failed to fetch entries");
  await page.unroute(/rpc\/admin_list_audit/);
  await page.getByRole("button", { name: "Try Again" }).click();
  await expect(page.getByText("No activity found", { exact: true })).toBeVisible();
});

test("a deleted book is restored from here by keyboard, and the focus stays in the list", {
  tag: "@gate",
}, async ({ page, admin }) => {
  const book = await addBook(admin.client, { stock_quantity: 7 });
  await removeRow(admin, "books", book.id);
  await openHistory(page, book.id);
  const restore = page.getByRole("button", { name: `Restore ${book.title}` });
  await restore.focus();
  await page.keyboard.press("Enter");
  await expectMessage(page, "Book restored");
  await expect(entries(page).nth(1)).toContainText("Book restored");
  await expect(restore).toBeHidden();
  expect(await stockOf(admin.client, book.id)).toBe(7);
  await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(false);
});

test("a deleted order and a deleted review are restored, with lines, copies and rating", async ({
  page,
  admin,
  member,
}) => {
  const book = await addBook(admin.client, { stock_quantity: 10 });
  const order = await placeOrder(member, book, 4);
  const row = await openOrder(page, order);
  await row.getByRole("button", { name: /^Delete order/ }).click();
  await expectMessage(page, "You can also restore it later in Activity.");
  expect(await stockOf(admin.client, book.id)).toBe(10);
  await openHistory(page, order);
  await page.getByRole("button", { name: `Restore ${shortId(order)}` }).click();
  await expectMessage(page, "Order restored");
  expect(await stockOf(admin.client, book.id)).toBe(6);
  const { data: lines } = await admin.client.from("order_items").select("quantity").eq("order_id", order);
  expect(lines).toEqual([{ quantity: 4 }]);

  const review = await someReview(admin, 3);
  await removeRow(admin, "reviews", review.id);
  await openHistory(page, review.id);
  await expect(entries(page).nth(1)).toContainText(`${review.rating}/5 for ${review.book_title}`);
  await page.getByRole("button", { name: `Restore ${review.rating}/5 for ${review.book_title}` }).click();
  await expectMessage(page, "Review restored");
  const { data } = await admin.client.from("reviews").select("rating").eq("id", review.id);
  expect(data).toEqual([{ rating: review.rating }]);
});

test("axe finds nothing, and nothing overflows the screen", async ({ page, admin }) => {
  const book = await addBook(admin.client);
  await admin.client
    .from("books")
    .update({ description: "A long story. ".repeat(30), price: 3 })
    .eq("id", book.id);
  await removeRow(admin, "books", book.id);
  await openHistory(page, book.id);
  await page
    .getByRole("button", { name: `Show all of ${book.title}` })
    .first()
    .click();
  await expect(page.getByRole("button", { name: `Show less of ${book.title}` })).toBeVisible();
  await expectAccessibleAtWidths(page);
  await openAdmin(page, "/admin/activity", "Activity");
  await expect(entries(page).nth(1)).toBeVisible();
  await expectAccessibleAtWidths(page);
});
