import type { Page } from "@playwright/test";
import { bookPath } from "#app/features/books/book-address.ts";
import { addBook, newTitle, placeOrder } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, expectAccessible, type Member, test } from "#tests/support/test.ts";

const section = (page: Page) => page.getByRole("region", { name: "Reviews" });
/** Customers may have a review already; their page is the same as everybody's. */
const writeButton = (page: Page) =>
  section(page).getByRole("button", { name: /^Write (a Review|or Edit Your Review)$/ });

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

  await expect(writeButton(page)).toHaveText("Write or Edit Your Review", { useInnerText: true });
  await writeButton(page).click();
  await expect(dialog.getByRole("radio", { name: "4 stars" })).toBeChecked();
  await dialog.getByRole("radio", { name: "2 stars" }).check({ force: true });
  await dialog.getByLabel("Review (optional)").fill("The maps are old.");
  await dialog.getByRole("button", { name: "Save Review" }).click();
  await expectMessage(page, "Review saved");
  await expectOnPage(page, "The maps are old.");
  await expect(section(page)).toContainText("of 5, from 1 review");
  await expect(section(page)).toContainText("2.0");

  await writeButton(page).click();
  await dialog.getByRole("button", { name: "Delete Review" }).click();
  await expectMessage(page, "Review deleted");
  await expectOnPage(page, "Nobody has reviewed this book yet.");
});

test("a visitor signs in and returns to the book; a customer who has not ordered it is told so", async ({
  page,
  admin,
  member,
}) => {
  const book = await addBook(admin.client, { title: newTitle("Unread") });
  await page.goto(bookPath(book));
  await expect(writeButton(page)).toHaveText("Write a Review", { useInnerText: true });
  await writeButton(page).click();
  const dialog = page.getByRole("dialog", { name: "Your review" });
  await dialog.getByRole("link", { name: "Sign In" }).click();
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password", { exact: true }).fill(member.password);
  await page.getByRole("main").getByRole("button", { name: "Sign In", exact: true }).click();
  await expect(page).toHaveURL(bookPath(book));
  await writeButton(page).click();
  await expect(dialog).toContainText("Only customers who have ordered this book can review it.");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
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
    await dialog.getByRole("button", { name: "Report Review" }).click();
    await expectMessage(page, "Review reported");
    await expect(dialog).toBeHidden();
  };
  await report();

  const office = await browser.newContext({ baseURL: shop.url });
  await signIn(office, admin);
  const desk = await office.newPage();
  await desk.goto("/admin/reviews?state=reported");
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
