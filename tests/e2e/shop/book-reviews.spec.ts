import type { Page } from "@playwright/test";
import { bookPath } from "#app/features/books/book-address.ts";
import { addBook, newTitle, placeOrder } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, expectAccessible, type Member, test } from "#tests/support/test.ts";

const section = (page: Page) => page.getByRole("region", { name: "Reviews" });
const ONLY_BUYERS = "Only customers who have ordered this book can review it.";
const explanation = (page: Page) => section(page).getByText(ONLY_BUYERS).filter({ visible: true });
const writeButton = (page: Page) => section(page).getByRole("button", { name: "Write a Review" });
const editButton = (page: Page) => section(page).getByRole("button", { name: "Edit Your Review" });

/** A review shows as soon as the page has been rendered anew. */
const expectOnPage = async (page: Page, text: string, shown = true) =>
  expect(async () => {
    await page.reload();
    await expect(section(page).getByText(text)).toBeVisible({ visible: shown, timeout: 1000 });
  }).toPass();

async function orderedBook(admin: Member, buyer: Member) {
  const book = await addBook(admin.client, { title: newTitle("Reviewed"), price: 20, stock_quantity: 9 });
  await placeOrder(buyer, book);
  return book;
}

test("a customer who ordered the book reviews it on a phone with the keyboard, changes the review and deletes it", async ({
  page,
  context,
  admin,
  member,
  signIn,
}) => {
  const book = await orderedBook(admin, member);
  await signIn(context, member);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(bookPath(book));
  await expect(section(page)).toContainText("Nobody has reviewed this book yet.");
  await writeButton(page).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Your review" });
  await dialog.getByRole("button", { name: "Save Review" }).click();
  await expect(dialog.getByText("Please choose a star rating")).toBeVisible();
  await dialog.getByRole("radio", { name: "1 star" }).focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
  await expect(dialog.getByRole("radio", { name: "4 stars" })).toBeChecked();
  await dialog.getByLabel("Review (optional)").fill("Clear maps.\n<b>And cheap.</b>");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save Review" }).click();
  await expectMessage(page, "Review saved");
  await expect(dialog).toBeHidden();
  await expectOnPage(page, "<b>And cheap.</b>");
  await expect(section(page).locator("bdi")).toHaveText("Reader");

  await editButton(page).click();
  await expect(dialog.getByRole("radio", { name: "4 stars" })).toBeChecked();
  await dialog.getByRole("radio", { name: "2 stars" }).check({ force: true });
  await dialog.getByLabel("Review (optional)").fill("The maps are old.");
  await dialog.getByRole("button", { name: "Save Review" }).click();
  await expectMessage(page, "Review saved");
  await expectOnPage(page, "The maps are old.");
  await expect(section(page)).toContainText("of 5, from 1 review");
  await expect(section(page)).toContainText("2.0");

  await editButton(page).click();
  await dialog.getByRole("button", { name: "Delete Review" }).click();
  await expectMessage(page, "Review deleted");
  await expect(writeButton(page)).toBeVisible();
  await expectOnPage(page, "Nobody has reviewed this book yet.");
});

test("only a customer who has ordered the book can write a review; others read why, and a visitor signs in and returns", async ({
  page,
  admin,
  member,
}) => {
  const book = await addBook(admin.client, { title: newTitle("Unread") });
  await page.goto(bookPath(book));
  await expect(explanation(page)).toBeVisible();
  await expect(section(page).getByRole("button")).toHaveCount(0);
  await section(page).getByRole("link", { name: "Sign in to review it" }).click();
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password", { exact: true }).fill(member.password);
  await page.getByRole("main").getByRole("button", { name: "Sign In", exact: true }).click();
  await expect(page).toHaveURL(bookPath(book));
  await expect(explanation(page)).toBeVisible();
  await expect(section(page).getByRole("link", { name: "Sign in to review it" })).toBeHidden();
  await expect(section(page).getByRole("button")).toHaveCount(0);
  await placeOrder(member, book);
  await page.reload();
  await expect(writeButton(page)).toBeVisible();
  await expect(explanation(page)).toHaveCount(0);
});

test("a reader reports a review; staff find it, keep it, and later hide it from everybody but its writer", async ({
  page,
  context,
  browser,
  shop,
  admin,
  member,
  newMember,
  signIn,
}) => {
  const book = await orderedBook(admin, member);
  const text = `Rude words about ${book.title}`;
  await member.client.rpc("write_review", { _book_id: book.id, _rating: 1, _review_text: text });
  await signIn(context, await newMember());
  await page.goto(bookPath(book));
  await expectOnPage(page, text);
  const report = async () => {
    await section(page).getByRole("button", { name: "Report the review by Reader" }).click();
    const dialog = page.getByRole("dialog", { name: "Report this review" });
    await expect(dialog).toContainText("It stays on the page until they have looked at it.");
    await dialog.getByRole("button", { name: "Report Review" }).click();
    await expect(dialog.getByRole("status")).toContainText("Thank you. Our staff will look at it.");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await expect(dialog).toBeHidden();
    await expectOnPage(page, text);
  };
  await report();

  const office = await browser.newContext({ baseURL: shop.url });
  await signIn(office, admin);
  const desk = await office.newPage();
  await desk.goto("/admin");
  const notice = desk.getByRole("region", { name: "Reported reviews" });
  await expect(notice).toContainText(/^\d+ reviews? w(?:as|ere) reported by readers/);
  await notice.getByRole("link", { name: /^Look at/ }).click();
  await expect(desk).toHaveURL(/\/admin\/reviews\?state=reported$/);
  const row = desk.getByRole("table", { name: "Reviews" }).getByRole("row").filter({ hasText: text });
  await expect(row).toContainText("Reported by 1 reader");
  await row.getByRole("button", { name: /^Keep the review/ }).click();
  await expectMessage(desk, "Review shown");
  await expect(row).toBeHidden();

  await report();
  await desk.reload();
  await row.getByRole("button", { name: /^Hide the review/ }).click();
  await expectMessage(desk, "Review hidden");
  await expectOnPage(page, "Nobody has reviewed this book yet.");
  await desk.getByLabel("Filter by state").selectOption("hidden");
  await expect(row.getByText("Hidden", { exact: true })).toBeVisible();
  await expectAccessible(desk);
  const own = await member.client.rpc("find_own_review", { _book_id: book.id });
  expect(own.data).toMatchObject([{ rating: 1, hidden: true }]);
  await row.getByRole("button", { name: /^Show the review/ }).click();
  await expectOnPage(page, text);
  await office.close();
});
