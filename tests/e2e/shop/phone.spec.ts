import { bookPath } from "#app/features/books/book-address.ts";
import { addBook, newIsbn, newTitle } from "#tests/support/factories.ts";
import { expect, test } from "#tests/support/test.ts";

/** What matters on a small phone, where most customers are. */
test.describe("at 360 px", () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test("the search is visible without opening the menu", { tag: "@gate" }, async ({ page }) => {
    await page.goto("/about");
    const box = page.getByLabel("Search books").filter({ visible: true });
    await expect(box).toBeInViewport();
    await box.fill("atlas");
    await box.press("Enter");
    await expect(page).toHaveURL("/search?q=atlas");
    await expect(page.getByRole("searchbox")).toHaveCount(1);
  });

  test("the heart is beside the cover, and a message below the header", async ({ page, admin }) => {
    const book = await addBook(admin.client);
    await page.goto(`/shop?q=${encodeURIComponent(book.title)}`);
    const heart = page.getByRole("button", { name: `Add to wishlist: ${book.title}` });
    const title = page.getByRole("heading", { name: book.title });
    const [heartBox, titleBox] = [await heart.boundingBox(), await title.boundingBox()];
    expect(heartBox?.y).toBeGreaterThan((titleBox?.y ?? 0) + (titleBox?.height ?? 0));
    await heart.click();
    const notice = page.getByRole("region", { name: "Notices" }).getByRole("listitem");
    await expect(notice).toBeVisible();
    const cart = await page.getByRole("button", { name: /^Shopping cart/ }).boundingBox();
    const cartEnd = (cart?.y ?? 0) + (cart?.height ?? 0);
    await expect.poll(async () => (await notice.boundingBox())?.y).toBeGreaterThanOrEqual(cartEnd);
  });

  test("the first screen of a book's page has its price and Add to Cart, and its buttons are 44 px high", async ({
    page,
    context,
    admin,
    member,
    signIn,
  }) => {
    // What a phone of 360 by 740 shows between the browser's own bars.
    await page.setViewportSize({ width: 360, height: 600 });
    const title = newTitle(
      "Cambridge Checkpoint Lower Secondary Mathematics Student's Book with Digital Access,",
    );
    const authors = "Kwabena Mensah, Samuel Owusu Ansah and Esi Addo";
    const isbn = "978-0-00-813536-2";
    const book = await addBook(admin.client, { title, authors, price: 1_238, isbn });
    const price = page.getByText("GH₵1,238.00");
    await page.goto(bookPath(book));
    await expect(price).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("button", { name: /^Sign In to Add/ }).first()).toBeInViewport({ ratio: 1 });
    await signIn(context, member);
    await page.goto(bookPath(book));
    const add = page.getByRole("button", { name: /^Add to Cart/ }).first();
    await expect(add).toBeInViewport({ ratio: 1 });
    await expect(price).toBeInViewport({ ratio: 1 });
    const heart = page.getByRole("button", { name: `Add to wishlist: ${title}` });
    const copy = page.getByRole("button", { name: "Copy the ISBN" });
    for (const control of [add, heart, copy, heart.locator("span").first()])
      expect((await control.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  });

  test("keeps the footer within 900 px, with links 44 px high", async ({ page }) => {
    await page.goto("/about");
    const footer = page.getByRole("contentinfo");
    expect((await footer.boundingBox())?.height).toBeLessThanOrEqual(900);
    for (const link of await footer.getByRole("link").all())
      expect((await link.boundingBox())?.height, (await link.textContent()) ?? "").toBeGreaterThanOrEqual(44);
  });

  test("leaves ISBN and edition off a phone's cards, and shows them in wider windows", async ({
    page,
    admin,
  }) => {
    const isbn = newIsbn().isbn13;
    const book = await addBook(admin.client, { isbn, edition: "Second Edition", subject: "Twi" });
    await page.goto(`/shop?q=${encodeURIComponent(book.title)}`);
    const card = page.getByRole("article").filter({ hasText: book.title });
    const facts = [card.getByText(/^ISBN/), card.getByText("Second Edition")];
    for (const fact of facts) await expect(fact).toBeHidden();
    await page.setViewportSize({ width: 1280, height: 740 });
    for (const fact of facts) await expect(fact).toBeVisible();
  });

  test("fits My Account on three screens, with one main button", async ({
    page,
    context,
    member,
    signIn,
  }) => {
    await signIn(context, member);
    await page.goto("/account");
    await expect(page.getByRole("button", { name: "Save Details" })).toBeVisible();
    await expect(page.getByText("You haven't asked for a consultation.")).toBeVisible();
    await expect(page.getByText("This device")).toBeVisible();
    const { height } = (await page.getByRole("main").boundingBox()) ?? { height: Number.NaN };
    expect(height).toBeLessThanOrEqual(3 * 740);
    await expect(page.getByRole("main").locator("button.bg-green:visible")).toHaveText(["Save Details"]);
  });

  test("nothing of the home page is wider than the window", async ({ page }) => {
    await page.goto("/");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });
});

test("Add comes before Details on every publisher's page", async ({ page }) => {
  for (const path of ["/products/cambridge", "/products/collins"]) {
    await page.goto(path);
    const card = page.getByRole("main").getByRole("article").first();
    const add = card
      .getByRole("button", { name: /^Sign In to Add/ })
      .or(card.getByRole("link", { name: /^Add/ }));
    const details = card.getByRole("link", { name: /^Details/ });
    const [first, second] = [await add.boundingBox(), await details.boundingBox()];
    expect(first?.y, path).toBeLessThan(second?.y ?? 0);
  }
});
