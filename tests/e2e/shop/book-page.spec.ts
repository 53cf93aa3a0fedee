import type { Locator, Page } from "@playwright/test";
import { bookPath } from "#app/features/books/book-address.ts";
import { addBook, newTitle } from "#tests/support/factories.ts";
import { expect, expectAccessibleAtWidths, findOnShelf, test } from "#tests/support/test.ts";

const details = {
  authors: "Ama Ata Aidoo",
  publisher: "Collins",
  isbn: "978-0-00-813536-2",
  price: 45.5,
  stock_quantity: 30,
  subject: "Science",
  grade_level: "Stage 5",
  age_range: "9 to 10",
  curriculum_type: "Cambridge International",
  edition: "2nd Edition",
  description: "Plants and forces.\n\nWith an index.",
};

const main = (page: Page) => page.getByRole("main");

test("a card's title and cover lead to the book's own page, which shows all there is to know", async ({
  page,
  admin,
}) => {
  const book = await addBook(admin.client, { ...details, title: newTitle("Science") });
  await findOnShelf(page, book.title);
  await main(page).getByRole("link", { name: book.title }).click();
  await expect(page).toHaveURL(bookPath(book));
  await expect(page).toHaveTitle(`${book.title} | Adwene Books`);
  await expect(page.getByRole("heading", { level: 1, name: book.title })).toBeVisible();
  for (const text of ["Ama Ata Aidoo", "Collins", "GH₵45.50", "In stock", "9780008135362"])
    await expect(main(page).getByText(text, { exact: true }).first()).toBeVisible();
  for (const text of ["Stage 5", "9 to 10", "Cambridge International", "2nd Edition"])
    await expect(main(page).getByRole("definition").filter({ hasText: text })).toBeVisible();
  await expect(page.getByRole("region", { name: "Description" }).getByRole("paragraph")).toHaveText([
    "Plants and forces.",
    "With an index.",
  ]);
  await page.goBack();
  await expect(page.getByRole("region", { name: "Description" })).toBeHidden();
  const card = main(page).getByRole("article").filter({ hasText: book.title });
  await card.click({ position: { x: 60, y: 60 } });
  await expect(page.getByRole("heading", { level: 1, name: book.title })).toBeVisible();
  await main(page).getByRole("link", { name: "Science", exact: true }).click();
  await expect(page).toHaveURL(/\/shop\?subject=Science$/);
});

test("a visitor without JavaScript reads the page, and a click on the button leads to the sign-in page", async ({
  browser,
  shop,
  admin,
}) => {
  const book = await addBook(admin.client, { ...details, title: newTitle("Readable") });
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: shop.url });
  const page = await context.newPage();
  await page.goto(bookPath(book));
  await expect(page.getByText("Plants and forces.")).toBeVisible();
  await expect(page.getByText("GH₵45.50").first()).toBeVisible();
  await page
    .getByRole("button", { name: /^Sign In to Add/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/auth\?*$/);
  await context.close();
});

test("other levels of the course come first, then more from the publisher", async ({ page, admin }) => {
  const [course, publisher] = [newTitle("Course"), newTitle("Publisher")];
  const add = (title: string, others: object) => addBook(admin.client, { title, publisher, ...others });
  const books = [];
  for (const level of [1, 2, 3])
    books.push(await add(newTitle(`Level ${level}`), { course, grade_level: `Stage ${level}` }));
  const other = await add(newTitle("Other"), {});
  const [first, second, third] = books;
  await page.goto(bookPath(second ?? other));
  const titles = (name: string) =>
    page.getByRole("region", { name }).getByRole("heading", { level: 3 }).allTextContents();
  expect(await titles("Same series or course")).toEqual([third?.title, first?.title]);
  expect(await titles(`More from ${publisher}`)).toEqual([other.title]);
  await page.getByRole("link", { name: third?.title ?? "" }).click();
  await expect(page.getByRole("heading", { level: 1, name: third?.title ?? "" })).toBeVisible();
  expect(await titles("Same series or course")).toEqual([second?.title, first?.title]);
});

test("reviews show the average, the distribution of stars, and only the readers' first names", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/shop?q=cambridge");
  const card = main(page).getByRole("article").filter({ hasText: "Rated" }).first();
  const title = (await card.getByRole("heading").textContent()) ?? "";
  await card.getByRole("link", { name: title }).click();
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  const reviews = page.getByRole("region", { name: "Reviews" });
  await expect(reviews.getByRole("list", { name: "Ratings" }).getByRole("listitem")).toHaveCount(5);
  const readers = await reviews
    .getByRole("list", { name: "What readers say" })
    .locator("bdi")
    .allTextContents();
  expect(readers.length).toBeGreaterThan(0);
  for (const reader of readers) expect(reader).not.toContain(" ");
  await page.getByRole("button", { name: "Copy the ISBN" }).click();
  await expect(page.getByText("ISBN copied")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^97[89][\d-]{10,14}$/);
});

test("on a phone, a customer's quantity, button and heart are on one line", async ({
  page,
  context,
  admin,
  member,
  signIn,
}) => {
  const book = await addBook(admin.client, { stock_quantity: 30 });
  await signIn(context, member);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(bookPath(book));
  const middle = async (control: Locator) => {
    const box = await control.boundingBox();
    return Math.round((box?.y ?? 0) + (box?.height ?? 0) / 2);
  };
  const button = main(page).getByRole("button", { name: new RegExp(`^Add to Cart.*${book.title}`) });
  await expect(button).toBeVisible();
  const heart = main(page).getByRole("button", { name: `Add to wishlist: ${book.title}` });
  const line = await middle(main(page).getByLabel(`Quantity of ${book.title}`));
  expect([await middle(button), await middle(heart)]).toEqual([line, line]);
});

test("a customer chooses how many copies go into the cart", { tag: "@gate" }, async ({
  page,
  context,
  admin,
  member,
  signIn,
}) => {
  await signIn(context, member);
  const book = await addBook(admin.client, { title: newTitle("Class set"), stock_quantity: 12 });
  await page.goto(bookPath(book));
  const quantity = page.getByRole("spinbutton", { name: `Quantity of ${book.title}` });
  await quantity.press("ArrowUp");
  await expect(quantity).toHaveValue("2");
  await quantity.fill("40");
  await quantity.blur();
  await expect(quantity).toHaveValue("12");
  await page
    .getByRole("button", { name: /^Add to Cart/ })
    .first()
    .click();
  await expect(page.getByText("Added to cart").first()).toBeVisible();
  const { data } = await member.client.from("cart_items").select("quantity").eq("book_id", book.id).single();
  expect(data?.quantity).toBe(12);
  await page.getByRole("button", { name: `Add to wishlist: ${book.title}` }).click();
  await expect(page.getByText("Added to wishlist")).toBeVisible();
});

test("the page is accessible on a phone and on a laptop, even with the longest texts", async ({
  page,
  admin,
}) => {
  const long = "Wonderfullylongwordwithoutanyspace".repeat(5);
  const book = await addBook(admin.client, {
    ...details,
    title: newTitle(long),
    authors: long,
    subject: long,
  });
  await page.goto(bookPath(book));
  await expectAccessibleAtWidths(page, [320, 1280]);
});
