import { addBook, newIsbn, newTitle, placeOrder, stockOf } from "#tests/support/factories.ts";
import { holdBack } from "#tests/support/intercept.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, expectAccessible, test } from "#tests/support/test.ts";
import { editBook, giveRole, openAdmin, openBook, otherBrowser } from "./back-office.ts";

const uncovered = /^Failed to save book \(/;

test.describe("the book form", () => {
  test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

  test("names what is missing or wrong, adds the book, closes, and starts empty the next time", async ({
    page,
    admin,
  }) => {
    await openAdmin(page, "/admin/books", "Book Management");
    const addBookButton = page.getByRole("button", { name: "Add Book" });
    await addBookButton.click();
    const dialog = page.getByRole("dialog", { name: "Add New Book" });
    const submit = dialog.getByRole("button", { name: "Add Book" });
    await dialog.getByLabel("Price (GH₵)").fill("-1");
    await dialog.getByLabel("Stock Quantity").fill("-1");
    await submit.click();
    for (const message of [
      "Title is required",
      "Publisher is required",
      "ISBN is required",
      "Price must be a positive number",
      "Stock quantity must be a positive number",
    ])
      await expect(dialog.getByText(message, { exact: true })).toBeVisible();
    await expect(dialog.getByLabel("Title")).toBeFocused();

    const title = newTitle("Ludo Board");
    await dialog.getByLabel("Title").fill(`  ${title} `);
    await dialog.getByLabel("Publisher").fill("Skoldo");
    await dialog.getByLabel("Price (GH₵)").fill("0");
    await expect(dialog.getByText("At a price of 0, customers get this book free.")).toBeVisible();
    await dialog.getByLabel("Price (GH₵)").fill("");
    await dialog.getByLabel("Stock Quantity").fill("");
    await dialog.getByRole("button", { name: "Use an internal code" }).click();
    await expect(dialog.getByLabel("ISBN")).toHaveValue(/^AB-[2-9A-Z]{6}$/);
    await expect(dialog.getByLabel("Edition")).toHaveAttribute(
      "placeholder",
      "e.g., 1st Edition, 2nd Edition",
    );
    await submit.click();
    await expectMessage(page, "Book added successfully");
    await expect(dialog).toBeHidden();
    // Refetched without being asked: the new book is the newest.
    await expect(page.getByRole("row").nth(1)).toContainText(title);

    const { data } = await admin.client.from("books").select().eq("title", title).single();
    expect(data).toMatchObject({
      price: 0,
      stock_quantity: 0,
      subject: null,
      edition: null,
      publisher: "Skoldo",
    });

    await addBookButton.click();
    await expect(dialog.getByLabel("Title")).toHaveValue("");
    await expect(dialog.getByLabel("ISBN")).toHaveValue("");
  });

  test("is filled from the book, keeps what it does not show, and saves", async ({ page, admin }) => {
    const book = await addBook(admin.client, { price: 1234.5, stock_quantity: 9 });
    await admin.client
      .from("books")
      .update({ course: "IGCSE", age_range: "14-16", curriculum_type: "Cambridge", isbn: "9780008123456" })
      .eq("id", book.id);
    const row = await openBook(page, book.title);
    await expect(row).toContainText("GH₵1,234.50");
    const dialog = await editBook(page, book.title);
    await expect(dialog.getByLabel("Price (GH₵)")).toHaveValue("1234.50");
    await expect(dialog.getByLabel("Stock Quantity")).toHaveValue("9");
    await expect(dialog.getByLabel("Course")).toHaveValue("IGCSE");
    await expect(
      dialog.getByText("The check digit does not fit: please compare with the book."),
    ).toBeVisible();
    await dialog.getByLabel("Grade Level").fill("JHS 1");
    await dialog.getByLabel("Authors").fill(" Ama “Kofi” Ata, Jr; Ɛsi Ébène");
    await dialog.getByRole("button", { name: "Update Book" }).click();
    await expectMessage(page, "Book updated successfully");
    await expect(dialog).toBeHidden();
    const { data } = await admin.client.from("books").select().eq("id", book.id).single();
    expect(data).toMatchObject({
      authors: "Ama “Kofi” Ata, Jr; Ɛsi Ébène",
      grade_level: "JHS 1",
      course: "IGCSE",
      age_range: "14-16",
      curriculum_type: "Cambridge",
      price: 1234.5,
      stock_quantity: 9,
    });
  });

  test("points out another book with the same ISBN in another spelling, without blocking", async ({
    page,
    admin,
  }) => {
    const title = newTitle("Twin");
    const { isbn13, isbn10 } = newIsbn();
    await addBook(admin.client, { title, isbn: isbn13 });
    const second = await addBook(admin.client, { isbn: "AB-TWIN" });
    const dialog = await editBook(page, second.title);
    await dialog.getByLabel("ISBN").fill(isbn10);
    await expect(dialog.getByText(`Another book has this ISBN: ${title}`, { exact: false })).toBeVisible();
    const code = newTitle("AB").toUpperCase().replace(" ", "-");
    const coded = await addBook(admin.client, { isbn: code });
    await dialog.getByLabel("ISBN").fill(code.replace("-", " ").toLowerCase());
    await expect(
      dialog.getByText(`Another book has this ISBN: ${coded.title}`, { exact: false }),
    ).toBeVisible();
    await dialog.getByRole("button", { name: "Update Book" }).click();
    await expectMessage(page, "Book updated successfully");
  });

  test("stays open when saving fails, and says why in plain words", async ({ page, admin, consoleLines }) => {
    consoleLines.expect(uncovered);
    const book = await addBook(admin.client, { isbn: "AB-WORDS" });
    const dialog = await editBook(page, book.title);
    await dialog.getByLabel("Subject").fill("S".repeat(201));
    await dialog.getByRole("button", { name: "Update Book" }).click();
    await expectMessage(page, "Failed to save book: The subject is too long (at most 200 characters).");
    await expect(dialog.getByLabel("Subject")).toHaveValue("S".repeat(201));

    await page.route(/rest\/v1\/books/, (route) =>
      route.fulfill({ status: 500, json: { code: "XX000", message: "x" } }),
    );
    await dialog.getByLabel("Subject").fill("Maths");
    await dialog.getByRole("button", { name: "Update Book" }).click();
    await expectMessage(page, "Failed to save book");
    await expect(dialog).toBeVisible();
    await page.unroute(/rest\/v1\/books/);
    await dialog.getByRole("button", { name: "Update Book" }).click();
    await expectMessage(page, "Book updated successfully");
  });

  test("asks before unsaved changes are lost by Escape, Back or a reload, and only then", async ({
    page,
  }) => {
    await openAdmin(page, "/admin/orders", "Order Management");
    await page.getByRole("link", { name: "Books", exact: true }).click();
    const open = page.getByRole("button", { name: "Add Book" });
    const form = page.getByRole("dialog", { name: "Add New Book" });
    const description = form.getByLabel("Description");
    const question = page.getByRole("alertdialog", { name: "Discard your changes?" });
    await open.click();
    await expect(form).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(form).toBeHidden();

    await open.click();
    await description.fill("Twenty lines");
    await page.keyboard.press("Escape");
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect(question).toBeHidden();
    await page.goBack();
    await expect(question).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(question).toBeHidden();
    await expect(page).toHaveURL(/\/admin\/books$/);
    const [leaving] = await Promise.all([
      page.waitForEvent("dialog"),
      page.evaluate(() => void setTimeout(() => location.reload())),
    ]);
    expect(leaving.type()).toBe("beforeunload");
    await leaving.dismiss();
    await expect(description).toHaveValue("Twenty lines");

    await form.getByRole("button", { name: "Close" }).click();
    await question.getByRole("button", { name: "Discard" }).click();
    await expect(form).toBeHidden();
    await open.click();
    await expect(description).toHaveValue("");
    await description.fill("Twenty lines");
    await page.goBack();
    await question.getByRole("button", { name: "Discard" }).click();
    await expect(page).toHaveURL(/\/admin\/orders$/);
    await expect(form).toBeHidden();
  });

  test("on a phone a message about a failure does not cover the form's buttons", async ({
    page,
    consoleLines,
  }) => {
    consoleLines.expect(uncovered);
    await page.setViewportSize({ width: 360, height: 740 });
    await openAdmin(page, "/admin/books", "Book Management");
    await page.getByRole("button", { name: "Add Book" }).click();
    const form = page.getByRole("dialog", { name: "Add New Book" });
    await form.getByLabel("Title").fill(newTitle("Too dear"));
    await form.getByLabel("Publisher").fill("Collins");
    await form.getByLabel("Price (GH₵)").fill("1e12");
    await form.getByRole("button", { name: "Use an internal code" }).click();
    await form.getByRole("button", { name: "Add Book" }).click();
    const words = "Failed to save book: A number is too large to be saved.";
    const message = await expectMessage(page, words);
    const footer = form.getByRole("button", { name: "Add Book" });
    // Once it has slid in: it does so from below.
    await expect
      .poll(async () => {
        const [above, below] = [await message.boundingBox(), await footer.boundingBox()];
        return above && below && above.y + above.height <= below.y;
      })
      .toBe(true);
  });

  test("offers the fixed publishers and those in the catalogue, each once, sorted", async ({
    page,
    admin,
  }) => {
    await addBook(admin.client, { publisher: "Aburi Primers" });
    await addBook(admin.client, { publisher: "Aburi Primers" });
    await openAdmin(page, "/admin/books", "Book Management");
    await page.getByRole("button", { name: "Add Book" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox", { name: "Publisher" }).click();
    const choices = dialog.getByRole("listbox").getByRole("option");
    await expect(choices.filter({ hasText: "Aburi Primers" })).toHaveCount(1);
    const names = await choices.allInnerTexts();
    for (const name of [
      "Cambridge University Press",
      "Collins",
      "CGP",
      "Hachette Learning",
      "Schofield & Sims",
      "Skoldo",
    ])
      expect(names).toContain(name);
    expect(names).toEqual([...new Set(names)].sort((a, b) => a.localeCompare(b, "en-GB")));
  });

  test("accepts any publisher, by keyboard too, and suggests the spelling that the shop has", async ({
    page,
    admin,
  }) => {
    const title = newTitle("Free text");
    await openAdmin(page, "/admin/books", "Book Management");
    await page.getByRole("button", { name: "Add Book" }).click();
    const dialog = page.getByRole("dialog");
    const field = dialog.getByRole("combobox", { name: "Publisher" });
    await field.focus();
    await page.keyboard.type("SCHOFIELD and");
    await expect(dialog.getByRole("option")).toHaveText(["Schofield & Sims"]);
    await expectAccessible(page);
    await page.keyboard.press("ArrowDown");
    await expect(dialog.getByRole("option", { selected: true })).toHaveText("Schofield & Sims");
    await page.keyboard.press("Enter");
    await expect(field).toHaveValue("Schofield & Sims");
    await expect(dialog.getByRole("listbox")).toBeHidden();

    await field.fill("c.g.p.");
    await page.keyboard.press("Escape");
    await expect(dialog.getByRole("listbox")).toBeHidden();
    await expect(dialog.getByText("The shop already has “CGP”.")).toBeVisible();
    await dialog.getByRole("button", { name: "Use “CGP”" }).click();
    await expect(field).toHaveValue("CGP");

    await field.fill("Woeli Publishing Services");
    await dialog.getByLabel("Title").fill(title);
    await dialog.getByLabel(/^Price/).fill("12");
    await dialog.getByLabel("ISBN").fill(newIsbn().isbn13);
    await dialog.getByRole("button", { name: "Add Book" }).click();
    await expectMessage(page, "Book added successfully");
    const { data } = await admin.client.from("books").select("publisher").eq("title", title);
    expect(data).toEqual([{ publisher: "Woeli Publishing Services" }]);
  });
});

test.describe("several people editing one book", () => {
  test("two admins edit it: the second sees what the first has saved, and keeps what they typed", async ({
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
    const theirs = await editBook(second, book.title);

    await mine.getByLabel("Price (GH₵)").fill("61");
    await mine.getByRole("button", { name: "Update Book" }).click();
    await expectMessage(page, "Book updated successfully");

    await theirs.getByLabel("Subject").fill("Geography");
    await theirs.getByRole("button", { name: "Update Book" }).click();
    await expectMessage(second, "Failed to save book: Someone else has since changed it.");
    const note = theirs.getByRole("alert").filter({ hasText: "Somebody else has changed this book" });
    await expect(note).toContainText("Price (GH₵)");
    await expect(note).toContainText("61.00");
    await expect(theirs.getByLabel("Subject")).toHaveValue("Geography");
    const { data } = await admin.client.from("books").select("price, subject").eq("id", book.id).single();
    expect(data).toEqual({ price: 61, subject: null });

    await theirs.getByLabel("Price (GH₵)").fill("61");
    await theirs.getByRole("button", { name: "Update Book" }).click();
    await expectMessage(second, "Book updated successfully");
    await second.context().close();
  });

  test("an order taken while the dialog is open does not put sold copies back", async ({
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
    await dialog.getByLabel("Edition").fill("2nd Edition");
    await dialog.getByRole("button", { name: "Update Book" }).click();
    await expectMessage(page, "Book updated successfully");
    expect(await stockOf(admin.client, book.id)).toBe(17);

    const again = await editBook(page, book.title);
    await expect(again.getByLabel("Stock Quantity")).toHaveValue("17");
    await placeOrder(member, book, 2);
    await again.getByLabel("Stock Quantity").fill("40");
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
    // Rows that arrive during a press move the link away from under it.
    await expect(page.getByRole("table", { name: "Book Inventory" })).not.toHaveAttribute("aria-busy");
    await page.getByRole("link", { name: "Next page" }).click();
    await expect(page).toHaveURL(/sort=-stock_quantity&page=2$/);
    await expect(page.getByText(`51–100 of ${count} books`)).toBeVisible();
    await page.reload();
    await expect(page.getByText(`51–100 of ${count} books`)).toBeVisible();
    await page.goBack();
    await expect(page.getByText(`1–50 of ${count} books`)).toBeVisible();
  });

  test("says that a page beyond the last is empty, not that there are no books", async ({ page }) => {
    await openAdmin(page, "/admin/books?page=999", "Book Management");
    await expect(page.getByText("There are no books on this page.")).toBeVisible();
    await page.getByRole("link", { name: "Previous page" }).click();
    await expect(page.getByRole("table", { name: "Book Inventory" }).getByRole("row").nth(1)).toBeVisible();
  });

  test("a heading pressed before the list is loaded sorts as it does afterwards", async ({ page }) => {
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

  test("says what could not be loaded, and tries again", async ({ page }) => {
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
