import { builtInTitles } from "#app/features/publishers/built-in-titles.ts";
import { formatCedis } from "#app/lib/money.ts";
import { startPreparedShop } from "#tests/support/prepared-folder.ts";
import { ADMIN, START_MS } from "#tests/support/shop-server.ts";
import { connect, expect, expectAccessible, test } from "#tests/support/test.ts";
import { listedPublishers } from "./shop-pages.ts";

const encoded = (name: string) => `/shop?publisher=${encodeURIComponent(name)}`;

test("the page of all publishers links to each of the six", async ({ page }) => {
  await page.goto("/products");
  const links = page.getByRole("main").getByRole("listitem").getByRole("link");
  await expect(links).toHaveCount(6);
  const targets = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  expect(targets.sort()).toEqual([
    "/products/cambridge",
    "/products/cgp",
    "/products/collins",
    "/products/hachette",
    "/products/schofield",
    "/products/skoldo",
  ]);
});

for (const [slug, name] of Object.entries(listedPublishers)) {
  test(`the page of ${name} shows its fixed list, all in stock, every link leading to its books`, async ({
    page,
  }) => {
    await page.goto(`/products/${slug}`);
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    const cards = page.getByRole("list", { name: `Titles by ${name}` }).getByRole("article");
    const titles = builtInTitles[name];
    await expect(cards).toHaveCount(titles.length);
    for (const [position, { title, price, rating, level }] of titles.entries()) {
      const card = cards.nth(position);
      await expect(card.getByRole("heading", { name: title })).toBeVisible();
      await expect(card).toContainText(formatCedis(price));
      await expect(card).toContainText(`Rated ${rating.toFixed(1)} out of 5`);
      await expect(card).toContainText(level);
      await expect(card).toContainText("In Stock");
      for (const link of await card.getByRole("link").all())
        await expect(link).toHaveAttribute("href", encoded(name));
      await expect(card.getByRole("link", { name: /^Details/ })).toBeVisible();
      await expect(card.getByRole("link", { name: /^Add/ })).toBeVisible();
    }
    await expect(page.getByRole("main").getByRole("link", { name: "Get Resource Guidance" })).toHaveAttribute(
      "href",
      "/guidance",
    );
    // The card answers a press anywhere, its cover included.
    await cards.first().click({ position: { x: 40, y: 40 } });
    await expect(page).toHaveURL(encoded(name));
    await expect(page.getByText("Active", { exact: true })).toBeVisible();
  });
}

test("CGP also leads to the shop and to bulk orders", async ({ page }) => {
  await page.goto("/products/cgp");
  await expect(page.getByRole("link", { name: "Shop Online" })).toHaveAttribute("href", "/shop");
  await expect(page.getByRole("link", { name: "Contact for Bulk Orders" })).toHaveAttribute(
    "href",
    "/contact",
  );
});

test("Schofield & Sims is listed with over 400 resources", async ({ page }) => {
  await page.goto("/products/schofield");
  await expect(page.getByText(/over 400 Schofield & Sims resources/)).toBeVisible();
});

test.describe("the Cambridge page", () => {
  const sections = ["Primary", "Secondary/IGCSE", "A Level"];

  test("shows its books of the catalogue in three sections of at most 8", async ({ page }) => {
    await page.goto("/products/cambridge");
    await expect(page.getByRole("main").getByRole("heading", { level: 2 })).toHaveText(sections);
    for (const section of sections) {
      const cards = page.getByRole("list", { name: section }).getByRole("article");
      const count = await cards.count();
      expect(count).toBeGreaterThan(0);
      expect(count).toBeLessThanOrEqual(8);
      for (const card of await cards.all()) await expect(card).toContainText("Cambridge University Press");
    }
  });

  test("leads to its books by card and Details, and asks visitors to sign in", async ({ page }) => {
    await page.goto("/products/cambridge");
    const card = page.getByRole("list", { name: "Primary" }).getByRole("article").first();
    await expect(card.getByRole("link", { name: /^Details/ })).toHaveAttribute(
      "href",
      encoded("Cambridge University Press"),
    );
    await expect(card.getByRole("button", { name: /^Sign In to Add/ })).toBeVisible();
    await card.click({ position: { x: 40, y: 40 } });
    await expect(page).toHaveURL(encoded("Cambridge University Press"));
  });

  test("puts a book into a member's cart", async ({ page, context, member, signIn }) => {
    await signIn(context, member);
    await page.goto("/products/cambridge");
    const card = page
      .getByRole("article")
      .filter({ has: page.getByRole("button", { name: /^Add to Cart/ }) })
      .first();
    const title = await card.getByRole("heading").textContent();
    await card.getByRole("button", { name: /^Add to Cart/ }).click();
    await expect(page.getByText("Added to cart!")).toBeVisible();
    const { data } = await member.client.from("cart_items").select("quantity, books(title)");
    expect(data).toEqual([{ quantity: 1, books: { title } }]);
    await expectAccessible(page);
  });

  test("says so when there are none, as the other publishers' pages do in a shop without the demo", async ({
    page,
  }) => {
    test.setTimeout(START_MS);
    const empty = await startPreparedShop("empty");
    try {
      await page.goto(`${empty.url}/products/cambridge`);
      await expect(page.getByText("No Cambridge books available at the moment.")).toBeVisible();
      for (const [slug, name] of Object.entries(listedPublishers)) {
        await page.goto(`${empty.url}/products/${slug}`);
        const main = page.getByRole("main");
        await expect(main.getByText(`No ${name} books available at the moment.`)).toBeVisible();
        await expect(main.getByText("In Stock")).toHaveCount(0);
        await expect(main.getByRole("article")).toHaveCount(0);
        await expect(main.getByRole("link", { name: "Browse all books" })).toHaveAttribute("href", "/shop");
      }
      await page.goto(empty.url);
      await expect(page.getByRole("region", { name: "From the shop" })).toHaveCount(0);
      await expect(page.getByRole("link", { name: /Mathematics$/ })).toHaveCount(0);

      const owner = await connect(empty, "2001:db8::1");
      await owner.auth.signInWithPassword(ADMIN);
      const book = { title: "A book of the owner's", publisher: "Collins", price: 30, stock_quantity: 4 };
      expect((await owner.from("books").insert(book)).error).toBeNull();
      await expect(async () => {
        await page.goto(`${empty.url}/products/collins`);
        await expect(page.getByRole("article")).toContainText(book.title, { timeout: 1_000 });
      }).toPass();
      await expect(page.getByRole("article").getByRole("button", { name: "Sign In to Add" })).toBeVisible();
    } finally {
      await empty.stop();
    }
  });
});
