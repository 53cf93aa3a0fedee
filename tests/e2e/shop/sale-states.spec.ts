import { bookPath } from "#app/features/books/book-address.ts";
import { searchPath } from "#app/features/site/navigation.ts";
import { addBook, fillCart, newIsbn } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, expectAccessible, test } from "#tests/support/test.ts";
import { editBook, openAdmin } from "../admin/back-office.ts";
import { openCart, panel } from "./cart-steps.ts";

test("a title that staff set to coming soon shows its date and takes an alert; one that is no longer for sale stays in the cart as not available and leads to its newer edition", async ({
  page,
  context,
  browser,
  admin,
  member,
  signIn,
}) => {
  const soon = await addBook(admin.client, { stock_quantity: 5, isbn: newIsbn().isbn13 });
  const gone = await addBook(admin.client, { stock_quantity: 5, isbn: newIsbn().isbn13 });
  await fillCart(member.client, gone.id, 2);

  const office = await browser.newContext();
  await signIn(office, admin);
  const staff = await office.newPage();
  await openAdmin(staff, "/admin/books", "Book Management");
  const setState = async (
    title: string,
    state: string,
    date?: string,
    newer?: { title: string; isbn: string | null },
  ) => {
    await editBook(staff, title);
    const dialog = staff.getByRole("dialog", { name: "Edit Book" });
    await dialog.getByRole("radio", { name: state, exact: true }).check();
    if (date) {
      await dialog.getByLabel("Available on").fill("05/06/2027");
      await dialog.getByRole("button", { name: "Update Book" }).click();
      await expect(dialog.getByText("Write a date such as 15/01/2027, Jan 2027 or 2027")).toBeVisible();
      await dialog.getByLabel("Available on").fill(date);
      await expectAccessible(staff);
    }
    if (newer) {
      await dialog.getByLabel("Newer Edition").fill("2nd");
      await dialog.getByRole("button", { name: "Update Book" }).click();
      await expect(dialog.getByText("Write the ISBN of the newer edition")).toBeVisible();
      await dialog.getByLabel("Newer Edition").fill(newer.isbn ?? "");
      await expect(dialog.getByText(`${newer.title}. Customers see a link to it.`)).toBeVisible();
    }
    await dialog.getByRole("button", { name: "Update Book" }).click();
    await expectMessage(staff, "Book updated successfully");
    await expect(dialog).toBeHidden();
  };
  await setState(soon.title, "Coming soon", "Jan 2027");
  await setState(gone.title, "Not for sale", undefined, soon);
  await staff.goto("/admin/books?status=not_for_sale");
  const row = staff.getByRole("row").filter({ hasText: gone.title });
  await expect(row.getByText("Not for sale")).toBeVisible();
  await expect(staff.getByRole("row").filter({ hasText: soon.title })).toHaveCount(0);

  await office.close();

  await signIn(context, member);
  // A page may be a second old.
  await expect(async () => {
    await page.goto(bookPath(soon));
    await expect(page.getByText("Coming soon: January 2027")).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(page.getByRole("button", { name: `Coming soon : ${soon.title}` })).toBeDisabled();
  await page.getByRole("button", { name: /^Email me when it's here/ }).click();
  await expectMessage(page, "We'll email you", "You'll get one email when it's in stock");
  await expectAccessible(page);

  await page.goto(bookPath(gone));
  await expect(page.getByRole("button", { name: `No longer available : ${gone.title}` })).toBeDisabled();
  await expect(page.getByRole("button", { name: new RegExp(`^Email me.*${gone.title}`) })).toHaveCount(0);
  await openCart(page);
  await expect(panel(page).getByText("No longer available")).toBeVisible();
  await page.goto(bookPath(gone));
  await page.getByText("There is a newer edition:").getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1, name: soon.title })).toBeVisible();

  await page.goto(searchPath(gone.title));
  await expect(page.getByRole("main").getByRole("link", { name: gone.title })).toHaveCount(0);
});
