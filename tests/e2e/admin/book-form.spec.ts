import { addBook, newIsbn, newTitle } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, expectAccessible, test } from "#tests/support/test.ts";
import { editBook, openAdmin, openBook } from "./back-office.ts";

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
    await expect(dialog.getByLabel("Edition", { exact: true })).toHaveAttribute(
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

  test("is filled in from the book, keeps the fields it does not show, and saves", async ({
    page,
    admin,
  }) => {
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
    await expect(dialog.getByText("The check digit is wrong. Please compare with the book.")).toBeVisible();
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

  test("asks before unsaved changes are lost by Escape, a click outside or the cross, and keeps them through Back and a reload", {
    tag: "@gate",
  }, async ({ page }) => {
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
    await page.mouse.click(5, 5);
    await question.getByRole("button", { name: "Cancel" }).click();
    await page.reload();
    await open.click();
    await expect(description).toHaveValue("Twenty lines");
    await page.goBack();
    await expect(page).toHaveURL(/\/admin\/orders$/);
    await expect(form).toBeHidden();
    await page.goForward();
    await open.click();
    await expect(description).toHaveValue("Twenty lines");

    await form.getByRole("button", { name: "Close" }).click();
    await question.getByRole("button", { name: "Discard" }).click();
    await expect(form).toBeHidden();
    await open.click();
    await expect(description).toHaveValue("");
  });

  test("the mouse wheel over a focused price or stock scrolls the form and changes no number", {
    tag: "@gate",
  }, async ({ page, admin }) => {
    const book = await addBook(admin.client, { price: 45, stock_quantity: 30 });
    const form = await editBook(page, book.title);
    for (const [label, value] of [
      ["Price (GH₵)", "45.00"],
      ["Stock Quantity", "30"],
    ] as const) {
      const input = form.getByLabel(label);
      await input.click();
      await input.hover();
      await page.mouse.wheel(0, 100);
      await expect(input).not.toBeFocused();
      await expect(input).toHaveValue(value);
    }
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
    const words = "Failed to save book: The price must be between 0 and 99999999.99.";
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
