import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { parse } from "csv-parse/sync";
import { addBook, newTitle, placeOrder } from "#tests/support/factories.ts";
import { holdBack } from "#tests/support/intercept.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, expectAccessible, test } from "#tests/support/test.ts";
import { giveRole, openAdmin } from "./back-office.ts";

const exports = (page: Page) => page.getByRole("group", { name: /^Export/ });
const exportButton = (page: Page) => page.getByRole("button", { name: "Download CSV" });

/** Presses the export button and answers the file's name, its first bytes and its rows by heading. */
async function download(page: Page, what: string) {
  const days = [today()];
  const [file] = await Promise.all([page.waitForEvent("download"), exportButton(page).click()]);
  // Midnight may have passed.
  days.push(today());
  const name = file.suggestedFilename();
  expect(days.map((day) => `${what}-${day}.csv`)).toContain(name);
  const bytes = await readFile(await file.path());
  const rows = parse(bytes, { bom: true, columns: true }) as Record<string, string>[];
  return { name, firstBytes: [...bytes.subarray(0, 3)], rows };
}

const today = () => new Date().toISOString().slice(0, 10);

test.describe("an export", () => {
  test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

  test("the export of books has every one, more than the data API returns per request, with formulas made harmless", async ({
    page,
    admin,
  }) => {
    test.setTimeout(120_000);
    const words = newTitle("Volume");
    const evil = await addBook(admin.client, {
      title: `=HYPERLINK("x","${words}")`,
      isbn: "9780306406157",
      price: 7.5,
    });
    await admin.client
      .from("books")
      .update({ description: "@Twi: ɛ and ₵,\nin two lines" })
      .eq("id", evil.id);
    for (let start = 0; start < 1_200; start += 300) {
      const books = Array.from({ length: 300 }, (_, n) => ({
        title: `${words} ${start + n}`,
        price: 5,
        stock_quantity: 1,
      }));
      expect((await admin.client.from("books").insert(books)).error).toBeNull();
    }
    const { data: count } = await admin.client.rpc("admin_count_books");
    await openAdmin(page, "/admin/books", "Book Management");
    await expect(exports(page)).toContainText(`Export all ${count?.toLocaleString("en-GB")} books`);
    const { name, firstBytes, rows } = await download(page, "books");
    await expectMessage(page, name);
    expect(firstBytes).toEqual([0xef, 0xbb, 0xbf]);
    expect(rows.length).toBe(count);
    expect(new Set(rows.map((row) => row.ID)).size).toBe(rows.length);
    expect(rows.filter(({ Title }) => Title?.startsWith(words))).toHaveLength(1_200);
    expect(rows.find(({ ID }) => ID === evil.id)).toMatchObject({
      Title: `'=HYPERLINK("x","${words}")`,
      ISBN: "978-0-306-40615-7",
      "Price (GH₵)": "7.50",
      Description: "'@Twi: ɛ and ₵,\nin two lines",
    });
  });

  test("follows the search and the filter, and says so", async ({ page, admin, member }) => {
    const book = await addBook(admin.client, { price: 12.5 });
    const order = await placeOrder(member, book, 2);
    await openAdmin(page, `/admin/orders?q=${order}`, "Order Management");
    await expect(exports(page)).toContainText("Export 1 matching order");
    const orders = await download(page, "orders-matching");
    expect(orders.rows).toEqual([
      expect.objectContaining({
        "Order ID": order,
        Status: "pending",
        Book: book.title,
        Quantity: "2",
        "Line total (GH₵)": "25.00",
        "Order total (GH₵)": "25.00",
        "Paid (GH₵)": "0.00",
        "Returned (GH₵)": "0.00",
        "To refund (GH₵)": "0.00",
        Customer: "Reader of the test",
        "Customer phone": "'+233 20 123 4567",
        "Shipping address": "4 School Lane, Kumasi",
      }),
    ]);
    await page.getByLabel("Filter by status").selectOption("Shipped");
    await expect(page.getByText("No orders found", { exact: true })).toBeVisible();
    await expect(exportButton(page)).toBeDisabled();

    await openAdmin(page, "/admin/users?role=admin", "User Management");
    await expect(exports(page)).toContainText(/Export \d+ matching users?/);
    const users = await download(page, "users-matching");
    expect(new Set(users.rows.map(({ Role }) => Role))).toEqual(new Set(["admin"]));
    await page.getByLabel("Filter by role").selectOption("All roles");
    await expect(exports(page)).toContainText(/Export all \d+ users/);
    const everyone = await download(page, "users");
    expect(everyone.rows.map(({ Email }) => Email)).toContain(member.email);
  });

  test("shows progress, runs once however often it is clicked, and can be cancelled", async ({ page }) => {
    await openAdmin(page, "/admin/books", "Book Management");
    await expect(exports(page)).toContainText(/all/);
    let asked = 0;
    page.on("request", (request) => {
      if (request.url().includes("rpc/search_books")) asked += 1;
    });
    const release = await holdBack(page, /rpc\/search_books/);
    await exportButton(page).dblclick();
    await expect(exports(page)).toContainText(/Exporting 0 of [1-9]/);
    await expect(page.getByRole("progressbar", { name: "Exporting books" })).toHaveAttribute("value", "0");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Cancel export" }).click();
    release();
    await expect(exports(page)).toContainText(/Export all/);
    expect(asked).toBe(1);
    await expect(page.getByRole("region", { name: "Messages" }).getByText(/exported/)).toHaveCount(0);
  });

  test("retries automatically when a step fails temporarily, and says when it keeps failing", async ({
    page,
    consoleLines,
  }) => {
    consoleLines.expect(/^Failed to export users/);
    await openAdmin(page, "/admin/users", "User Management");
    await expect(exports(page)).toContainText(/all/);
    let failures = 1;
    await page.route(/rpc\/admin_count_users/, async (route) => {
      failures -= 1;
      if (failures >= 0) await route.fulfill({ status: 503, json: { message: "x" } });
      else await route.continue();
    });
    expect((await download(page, "users")).rows.length).toBeGreaterThan(1);

    await page.unroute(/rpc\/admin_count_users/);
    await page.route(/rpc\/admin_list_users/, (route) =>
      route.fulfill({ status: 400, json: { message: "x" } }),
    );
    await exportButton(page).click();
    await expectMessage(page, "Failed to export users");
    await page.unroute(/rpc\/admin_list_users/);
    await expect(exports(page)).toContainText(/Export all/);
    expect((await download(page, "users")).rows.length).toBeGreaterThan(1);
  });
});

test("an admin whose role is removed cannot export anything and is redirected to the home page", {
  tag: "@gate",
}, async ({ page, context, admin, member, signIn, consoleLines }) => {
  consoleLines.expect(/^Failed to export users/);
  await giveRole(admin, member.id, "admin");
  await signIn(context, member);
  await openAdmin(page, "/admin/users", "User Management");
  await expect(exports(page)).toContainText(/all/);
  await giveRole(admin, member.id, "user");
  let downloads = 0;
  page.on("download", () => {
    downloads += 1;
  });
  await exportButton(page).click();
  await expect(page).toHaveURL(/\/$/);
  expect(downloads).toBe(0);
});
