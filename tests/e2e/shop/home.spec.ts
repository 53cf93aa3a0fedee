import { expect, test } from "#tests/support/test.ts";

test.describe("the home page", () => {
  test("asks visitors to sign in, and everybody to browse", async ({ page }) => {
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

  test("says why to choose the shop, in the stated figures", async ({ page }) => {
    await page.goto("/");
    const why = page.getByRole("region", { name: "Why Choose Adwene Books" });
    for (const figure of ["10+", "6", "16", "500+"])
      await expect(why.getByText(figure, { exact: true })).toBeVisible();
  });

  test("ends with a way to guidance", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("link", { name: "Get Resource Guidance" }).click();
    await expect(page).toHaveURL("/guidance");
  });
});
