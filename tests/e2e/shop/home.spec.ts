import { expect, expectAccessible, test } from "#tests/support/test.ts";

test.describe("the home page", () => {
  test("sends visitors to the sign-in page, and members to the shop", { tag: "@gate" }, async ({
    page,
    context,
    member,
    signIn,
  }) => {
    await page.goto("/");
    await expect(page.getByRole("link", { name: "Sign In to Shop" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Shop Now" })).toBeHidden();
    await signIn(context, member);
    await page.reload();
    await expect(page.getByRole("link", { name: "Shop Now" })).toHaveAttribute("href", "/shop");
    await expect(page.getByRole("link", { name: "Sign In to Shop" })).toBeHidden();
  });

  test("then shows new and best rated books, and a shelf for each stage, with prices", async ({
    page,
    context,
    member,
    signIn,
  }) => {
    await signIn(context, member);
    await page.goto("/");
    const newest = page.getByRole("region", { name: "New on our shelves" });
    await expect(newest.getByRole("article")).toHaveCount(4);
    const shelves = page.getByRole("region", { name: "From the shop" });
    await expect(shelves.getByRole("heading", { level: 3 })).toHaveText([
      "Best rated by readers",
      "Early Years",
      "Primary",
      "Lower Secondary and JHS",
      "IGCSE and SHS",
      "A Level and IB",
    ]);
    await expect(shelves.getByRole("list").first().getByRole("article")).toHaveCount(4);
    const primary = shelves.getByRole("list", { name: "Primary" });
    await expect(primary.getByRole("article")).toHaveCount(3);
    await expect(primary.getByRole("link", { name: /^More / })).toHaveAttribute("href", /^\/shop\?course=/);
    const card = primary.getByRole("article").first();
    await expect(card).toContainText(/GH₵\d/);
    await expect(card).toContainText("out of 5");
    const title = await card.getByRole("heading").textContent();
    await card.getByRole("button", { name: /^Add to Cart/ }).click();
    await expect(page.getByText("Added to cart!")).toBeVisible();
    const { data } = await member.client.from("cart_items").select("quantity, books(title)");
    expect(data).toEqual([{ quantity: 1, books: { title } }]);
    await page.getByRole("navigation", { name: "Shelves" }).getByRole("link", { name: "Primary" }).click();
    await expect(shelves.getByRole("heading", { name: "Primary", exact: true })).toBeInViewport();
    await expectAccessible(page);
  });

  test("links pictures to what they show, each while it is displayed", async ({ page }) => {
    await page.goto("/");
    const pictures = page.getByRole("region", { name: "From our shelves" });
    await pictures.getByRole("link", { name: /Mathematics$/ }).click();
    await expect(page).toHaveURL("/shop?subject=Mathematics");
    await expect(page.getByRole("list", { name: "Books" }).getByRole("article").first()).toBeVisible();
  });
});
