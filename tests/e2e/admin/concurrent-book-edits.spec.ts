import { addBook, placeOrder, stockOf } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, test } from "#tests/support/test.ts";
import { editBook, giveRole, openBook, otherBrowser } from "./back-office.ts";

test.describe("several people editing one book", () => {
  test("two admins edit it: each changes only what they typed, and is told where both typed", async ({
    page,
    browser,
    context,
    admin,
    member,
    signIn,
  }) => {
    await giveRole(admin, member.id, "admin");
    const book = await addBook(admin.client, { isbn: "AB-BOTH" });
    await signIn(context, admin);
    const second = await otherBrowser(browser, signIn, member);
    const mine = await editBook(page, book.title);
    const other = await editBook(second, book.title);

    await mine.getByLabel("Price (GH₵)").fill("61");
    await mine.getByLabel("Edition", { exact: true }).fill("2nd Edition");
    await mine.getByRole("button", { name: "Update Book" }).click();
    await expectMessage(page, "Book updated successfully");

    await other.getByLabel("Subject").fill("Geography");
    await other.getByLabel("Edition", { exact: true }).fill("3rd Edition");
    await other.getByLabel("Description").fill("Maps.");
    await other.getByRole("button", { name: "Update Book" }).click();
    await expectMessage(second, "Failed to save book: Someone else has since changed it.");
    const note = other
      .getByRole("alert")
      .filter({ hasText: "Someone else changed these fields while you were editing them" });
    await expect(note).toBeInViewport();
    await expect(note).toContainText("2nd Edition");
    await expect(note).not.toContainText("61.00");
    await expect(other.getByLabel("Subject")).toHaveValue("Geography");
    await expect(other.getByLabel("Price (GH₵)")).toHaveValue("61.00");
    const read = () =>
      admin.client.from("books").select("price, subject, edition").eq("id", book.id).single();
    expect((await read()).data).toEqual({ price: 61, subject: null, edition: "2nd Edition" });
    await other.getByRole("button", { name: "Update Book" }).click();
    await expectMessage(second, "Book updated successfully");
    expect((await read()).data).toEqual({ price: 61, subject: "Geography", edition: "3rd Edition" });

    const mineAgain = await editBook(page, book.title);
    const otherAgain = await editBook(second, book.title);
    await mineAgain.getByLabel("Price (GH₵)").fill("62");
    await mineAgain.getByRole("button", { name: "Update Book" }).click();
    await expectMessage(page, "Book updated successfully");
    await otherAgain.getByLabel("Subject").fill("History");
    await otherAgain.getByRole("button", { name: "Update Book" }).click();
    await expectMessage(
      second,
      "Book updated successfully",
      "Someone else changed other fields meanwhile. Their changes were kept: Price (GH₵)",
    );
    expect((await read()).data).toEqual({ price: 62, subject: "History", edition: "3rd Edition" });
    await second.context().close();
  });

  test("saving does not put back copies sold while the dialog was open", { tag: "@gate" }, async ({
    page,
    context,
    admin,
    member,
    signIn,
  }) => {
    const book = await addBook(admin.client, { isbn: "AB-SOLD", stock_quantity: 20 });
    await signIn(context, admin);
    const dialog = await editBook(page, book.title);
    await placeOrder(member, book, 3);
    await dialog.getByLabel("Edition", { exact: true }).fill("2nd Edition");
    await dialog.getByRole("button", { name: "Update Book" }).click();
    await expectMessage(page, "Book updated successfully");
    expect(await stockOf(admin.client, book.id)).toBe(17);

    const again = await editBook(page, book.title);
    await expect(again.getByLabel("Stock Quantity")).toHaveValue("17");
    await placeOrder(member, book, 2);
    await again.getByLabel("Stock Quantity").fill("40");
    await again.getByLabel("Why 23 more copies?").selectOption("Found");
    await again.getByRole("button", { name: "Update Book" }).click();
    await expectMessage(page, "Failed to save book: Someone else has since changed it.");
    await expect(again.getByRole("alert").filter({ hasText: "Stock Quantity" })).toContainText("15");
    expect(await stockOf(admin.client, book.id)).toBe(15);
  });

  test("a book deleted during an edit is reported, and a deleted book is removed from carts", async ({
    page,
    browser,
    context,
    admin,
    member,
    signIn,
  }) => {
    const book = await addBook(admin.client, { isbn: "AB-GONE" });
    await member.client.rpc("add_to_cart", { _book_id: book.id, _quantity: 2 });
    await signIn(context, admin);
    const dialog = await editBook(page, book.title);
    const second = await otherBrowser(browser, signIn, admin);

    const row = await openBook(second, book.title);
    await row.getByRole("button", { name: `Delete ${book.title}` }).click();
    const question = second.getByRole("alertdialog", { name: "Are you sure you want to delete this book?" });
    await expect(question).toContainText(book.title);
    await expect(question.getByRole("button", { name: "Cancel" })).toBeFocused();
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect(row).toBeVisible();
    await row.getByRole("button", { name: `Delete ${book.title}` }).click();
    await question.getByRole("button", { name: "Delete Book" }).click();
    await expectMessage(second, "Book deleted successfully");
    await expect(second.getByText("No books found", { exact: true })).toBeVisible();
    await second.context().close();

    const cart = await member.client.from("cart_items").select("id");
    expect(cart.data).toEqual([]);
    await dialog.getByRole("button", { name: "Update Book" }).click();
    await expectMessage(page, "Failed to save book: This book has since been deleted.");
  });

  test("deleting a book that has already been deleted says that it failed", async ({
    page,
    context,
    admin,
    signIn,
    consoleLines,
  }) => {
    consoleLines.expect(/^Failed to delete book/);
    const book = await addBook(admin.client);
    await signIn(context, admin);
    const row = await openBook(page, book.title);
    await row.getByRole("button", { name: `Delete ${book.title}` }).click();
    await admin.client.from("books").delete().eq("id", book.id);
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete Book" }).click();
    await expectMessage(page, "Failed to delete book");
  });
});
