import type { Locator, Page } from "@playwright/test";
import { bookPath } from "#app/features/books/book-address.ts";
import { addBook, newTitle } from "#tests/support/factories.ts";
import { expect, expectAccessible, findOnShelf, test } from "#tests/support/test.ts";

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
  for (const text of ["Ama Ata Aidoo", "Collins", "GH₵45.50", "In stock", "978-0-00-813536-2"])
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

test("the URL without the title, or with an old one, redirects to the current one; an unknown book's is the 404 page", async ({
  page,
  request,
  admin,
  consoleLines,
}) => {
  const book = await addBook(admin.client, { title: newTitle("Atlas") });
  for (const path of [`/books/${book.id}`, `/books/${book.id}/an-old-title`]) {
    const answer = await request.get(path, { maxRedirects: 0 });
    expect([answer.status(), answer.headers().location]).toEqual([301, bookPath(book)]);
  }
  await page.goto(`/books/${book.id}/an-old-title`);
  await expect(page).toHaveURL(bookPath(book));
  consoleLines.expect(/^404: no page at \/books/);
  for (const path of ["/books/1", "/books/00000000-0000-4000-8000-000000000000/atlas", "/books/a/b/c"]) {
    expect((await page.goto(path))?.status()).toBe(404);
    await expect(page.getByRole("heading", { name: "Oops! Page not found" })).toBeVisible();
  }
});

test("search engines and link previews get the book's data and cover, as text whatever it contains", async ({
  page,
  shop,
  admin,
}) => {
  const title = newTitle(`</script><script>alert(1)</script> "Quotes" & <b>`);
  const cover = "https://covers.example/atlas.jpg";
  const book = await addBook(admin.client, { ...details, title, image_url: cover });
  await page.route(cover, (route) => route.abort());
  await page.goto(bookPath(book));
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  const [data, ...more] = await page.locator('script[type="application/ld+json"]').allTextContents();
  expect(more).toEqual([]);
  expect(JSON.parse(data ?? "")).toMatchObject({
    "@type": ["Product", "Book"],
    name: title,
    url: shop.url + bookPath(book),
    image: cover,
    isbn: "9780008135362",
    author: { name: "Ama Ata Aidoo" },
    offers: { price: "45.50", priceCurrency: "GHS", availability: "https://schema.org/InStock" },
  });
  const property = (name: string) => page.locator(`meta[property="${name}"]`);
  await expect(property("og:image")).toHaveAttribute("content", cover);
  await expect(property("og:title")).toHaveAttribute("content", title);
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute("href", shop.url + bookPath(book));
});

test("the link preview of a book without a cover is a picture that messengers show", async ({
  request,
  admin,
}) => {
  const kinds = [
    ["Arithmetic", "image/png"],
    ["School Atlas for West Africa", "image/jpeg"],
  ];
  for (const [title = "", type] of kinds) {
    const book = await addBook(admin.client, { title, subject: "Mathematics" });
    const html = await (await request.get(bookPath(book))).text();
    const address = /<meta property="og:image" content="([^"]+)"/.exec(html)?.[1];
    const picture = await request.get(address ?? "");
    expect([picture.status(), picture.headers()["content-type"]]).toEqual([200, type]);
  }
});

test("a visitor without JavaScript reads the page, and a press on the button leads to the sign-in page", async ({
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

test("a book that is sold out says so and cannot be added; the last few copies are counted", async ({
  page,
  admin,
}) => {
  const gone = await addBook(admin.client, { title: newTitle("Gone"), stock_quantity: 0 });
  await page.goto(bookPath(gone));
  await expect(main(page).getByText("Out of stock", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: /^Out of Stock/ }).first()).toBeDisabled();
  const few = await addBook(admin.client, { title: newTitle("Few"), stock_quantity: 3 });
  await page.goto(bookPath(few));
  await expect(main(page).getByText("Only 3 left", { exact: true })).toBeVisible();
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

test("a customer chooses how many copies go into the cart", async ({
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

for (const width of [320, 1280])
  test(`the page is accessible at ${width} px, even with the longest texts`, async ({ page, admin }) => {
    const long = "Wonderfullylongwordwithoutanyspace".repeat(5);
    const book = await addBook(admin.client, {
      ...details,
      title: newTitle(long),
      authors: long,
      subject: long,
    });
    await page.setViewportSize({ width, height: 800 });
    await page.goto(bookPath(book));
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
