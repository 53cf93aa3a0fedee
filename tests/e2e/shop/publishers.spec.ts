import { expect, expectAccessible, test } from "#tests/support/test.ts";

const encoded = (name: string) => `/shop?publisher=${encodeURIComponent(name)}`;

test("clicking anywhere on a title of a fixed list opens the publisher's books", async ({ page }) => {
  await page.goto("/products/collins");
  const cards = page.getByRole("list", { name: "Titles by Collins" }).getByRole("article");
  await cards.first().click({ position: { x: 40, y: 40 } });
  await expect(page).toHaveURL(encoded("Collins"));
  await expect(page.getByText("Active", { exact: true })).toBeVisible();
});

test.describe("the Cambridge page", () => {
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
});
