import { addBook, newIsbn } from "#tests/support/factories.ts";
import { holdBack } from "#tests/support/intercept.ts";
import { expect, test } from "#tests/support/test.ts";
import { openAdmin } from "./back-office.ts";

test.describe("the inventory", () => {
  test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

  test("filters by publisher, with both empty states and Clear Filter, all in the URL", async ({ page }) => {
    await openAdmin(page, "/admin/books", "Book Management");
    const inventory = page.getByRole("table", { name: "Book Inventory" });
    for (const name of ["Cover", "Title", "Publisher", "ISBN", "Price (GH₵)", "Stock", "Actions"])
      await expect(inventory.getByRole("columnheader", { name, exact: true })).toBeVisible();
    const filter = page.getByLabel("Filter by publisher");
    await expect(filter).toHaveValue("");
    await expect(filter.getByRole("option").first()).toHaveText("All Publishers");
    await filter.selectOption("Skoldo");
    await expect(page).toHaveURL(/publisher=Skoldo/);
    await expect(inventory.getByRole("row").nth(1)).toContainText("Skoldo");

    await page.goto("/admin/books?publisher=Nobody%20%26%20Sons");
    await expect(page.getByText("No books found for Nobody & Sons")).toBeVisible();
    await page.getByRole("button", { name: "Clear Filter" }).click();
    await expect(page).toHaveURL(/\/admin\/books$/);
    await expect(inventory.getByRole("row").nth(1)).toBeVisible();

    await page.goto("/admin/books?q=no-book-is-called-this");
    await expect(page.getByText("No books found", { exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: "Clear Filter" })).toBeHidden();
  });

  test("searches by title and by ISBN in any spelling, sorts, and pages by 50 with an exact count", async ({
    page,
    admin,
  }) => {
    const { isbn13, isbn10 } = newIsbn();
    const book = await addBook(admin.client, { isbn: isbn13, stock_quantity: 3, publisher: "Collins" });
    await openAdmin(page, "/admin/books", "Book Management");
    const rows = page.getByRole("table", { name: "Book Inventory" }).getByRole("row");
    await page.getByRole("searchbox", { name: /Search title, ISBN/ }).fill(isbn10);
    await expect(page).toHaveURL(new RegExp(`q=${isbn10}`));
    await expect(rows).toHaveCount(2);
    await expect(rows.nth(1)).toContainText(book.title);
    await expect(page.getByText("1 book", { exact: true })).toBeVisible();

    await page.getByRole("searchbox", { name: /Search title, ISBN/ }).fill("");
    await expect(rows).toHaveCount(51);
    const { count: books } = await admin.client.from("books").select("id", { count: "exact", head: true });
    const count = books?.toLocaleString("en-GB");
    await expect(page.getByText(`1–50 of ${count} books`)).toBeVisible();
    await page.getByRole("columnheader", { name: "Stock" }).getByRole("button").click();
    await expect(page).toHaveURL(/sort=-stock_quantity/);
    // Rows that arrive during a click move the link away from under it.
    await expect(page.getByRole("table", { name: "Book Inventory" })).not.toHaveAttribute("aria-busy");
    await page.getByRole("link", { name: "Next page" }).click();
    await expect(page).toHaveURL(/sort=-stock_quantity&page=2$/);
    await expect(page.getByText(`51–100 of ${count} books`)).toBeVisible();
    await page.reload();
    await expect(page.getByText(`51–100 of ${count} books`)).toBeVisible();
    await page.goBack();
    await expect(page.getByText(`1–50 of ${count} books`)).toBeVisible();
  });

  test("staff check and change the prices of all listed books", { tag: "@gate" }, async ({ page, admin }) => {
    const publisher = `House ${crypto.randomUUID().slice(0, 8)}`;
    for (const price of [10, 45.5]) await addBook(admin.client, { publisher, price });
    await openAdmin(page, `/admin/books?publisher=${encodeURIComponent(publisher)}`, "Book Management");
    await page.getByRole("button", { name: "Change Prices" }).click();
    const dialog = page.getByRole("dialog", { name: "Change prices" });
    await expect(dialog).toContainText("2 matching books");
    await dialog.getByLabel("Change in percent").fill("five");
    await dialog.getByRole("button", { name: "Show New Prices" }).click();
    await expect(dialog).toContainText("Enter a percentage");
    await dialog.getByLabel("Change in percent").fill("+5 %");
    await dialog.getByRole("button", { name: "Show New Prices" }).click();
    await expect(page.getByRole("heading", { name: "Change Prices" })).toBeVisible();
    const rows = page.getByRole("table", { name: "Rows of the file" });
    await expect(rows).toContainText(/GH₵10\.00 →\s+to GH₵10\.50/);
    await expect(rows).toContainText(/GH₵45\.50 →\s+to GH₵48\.00/);
    await page.getByRole("button", { name: "Change 2 prices" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Change" }).click();
    await expect(page.getByText(`Prices +5%, rounded to 0.50, ${publisher} was applied`)).toBeVisible();
    const prices = async () =>
      (
        await admin.client
          .from("books")
          .select("price")
          .eq("publisher", publisher)
          .order("price")
          .throwOnError()
      ).data?.map(({ price }) => price);
    expect(await prices()).toEqual([10.5, 48]);
    await admin.client.from("books").delete().eq("publisher", publisher).throwOnError();
  });

  test("says that a page beyond the last is empty, not that there are no books", async ({ page }) => {
    await openAdmin(page, "/admin/books?page=999", "Book Management");
    await expect(page.getByText("There are no books on this page.")).toBeVisible();
    await page.getByRole("link", { name: "Previous page" }).click();
    await expect(page.getByRole("table", { name: "Book Inventory" }).getByRole("row").nth(1)).toBeVisible();
  });

  test("a heading clicked before the list is loaded sorts as it does afterwards", async ({ page }) => {
    const release = await holdBack(page, /rpc\/admin_list_books/);
    await openAdmin(page, "/admin/books", "Book Management");
    const heading = (name: string) => page.getByRole("columnheader", { name }).getByRole("button");
    await heading("Title").click();
    await expect(page).toHaveURL(/sort=title$/);
    await heading("Stock").click();
    await expect(page).toHaveURL(/sort=-stock_quantity$/);
    release();
    await heading("Price").click();
    await expect(page).toHaveURL(/sort=-price$/);
  });

  test("says what could not be loaded, and retries", async ({ page }) => {
    await page.route(/rpc\/admin_list_books/, (route) =>
      route.fulfill({ status: 400, json: { message: "x" } }),
    );
    await openAdmin(page, "/admin/books", "Book Management");
    await expect(page.getByText("Failed to load books: Failed to fetch books")).toBeVisible();
    await page.unroute(/rpc\/admin_list_books/);
    await page.getByRole("button", { name: "Try Again" }).click();
    await expect(page.getByRole("table", { name: "Book Inventory" }).getByRole("row").nth(1)).toBeVisible();
  });
});
