import { expect, expectAccessible, test } from "#tests/support/test.ts";

test.describe("the home page", () => {
  test("invites visitors to sign in, and everyone to browse", async ({ page }) => {
    await page.goto("/");
    const main = page.getByRole("main");
    await expect(main.getByRole("link", { name: "Sign In to Shop" })).toHaveAttribute("href", "/auth");
    await expect(main.getByRole("link", { name: "Shop Now" })).toBeHidden();
    await expect(main.getByRole("link", { name: "Browse Catalog" })).toHaveAttribute("href", "/shop");
  });

  test("sends members to the shop", async ({ page, context, member, signIn }) => {
    await signIn(context, member);
    await page.goto("/");
    await expect(page.getByRole("link", { name: "Shop Now" })).toHaveAttribute("href", "/shop");
    await expect(page.getByRole("link", { name: "Sign In to Shop" })).toBeHidden();
  });

  test("shows the six publishers, each leading to its page", async ({ page }) => {
    await page.goto("/");
    const partners = page.getByRole("region", { name: "Six publishers, one order" });
    await expect(partners.getByRole("link")).toHaveCount(6);
    await partners.getByRole("link", { name: /Schofield & Sims/ }).click();
    await expect(page).toHaveURL("/products/schofield");
  });

  test("says why to choose the shop, with the specified figures", async ({ page }) => {
    await page.goto("/");
    const why = page.getByRole("region", { name: "Why Choose Adwene Books" });
    for (const figure of ["10+", "6", "16", "500+"])
      await expect(why.getByText(figure, { exact: true })).toBeVisible();
  });

  test("then shows new and best rated books, and a shelf for each stage, with prices", async ({
    page,
    context,
    member,
    signIn,
  }) => {
    await signIn(context, member);
    await page.goto("/");
    const shelves = page.getByRole("region", { name: "From the shop" });
    await expect(shelves.getByRole("heading", { level: 3 })).toHaveText([
      "New on our shelves",
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

  test("ends with a link to guidance", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("link", { name: "Get Resource Guidance" }).click();
    await expect(page).toHaveURL("/guidance");
  });
});
