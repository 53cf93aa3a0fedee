import { holdBack } from "#tests/support/intercept.ts";
import { expect, expectAccessibleAtWidths, test } from "#tests/support/test.ts";

const cards = (page: import("@playwright/test").Page) =>
  page.getByRole("list", { name: "Books" }).getByRole("article");

test.describe("the catalogue", () => {
  test("a late further page of other filters is not added to the new results", async ({ page }) => {
    await page.goto("/shop");
    await expect(cards(page)).toHaveCount(24);
    const release = await holdBack(page, /\/shop\.data\?(.*&)?page=2/);
    const held = page.waitForRequest(/\/shop\.data\?(.*&)?page=2/);
    await page.getByRole("link", { name: "More books" }).click();
    await held;
    await page.getByRole("search", { name: "Books" }).getByLabel("Publisher").selectOption("Collins");
    await expect(page).toHaveURL(/publisher=Collins/);
    // A full page, so that these results go on too.
    await expect(page.getByRole("link", { name: "More books" })).toBeVisible();
    await expect(cards(page).filter({ hasText: "Collins" })).toHaveCount(24);
    release();
    await page.getByRole("link", { name: "More books" }).click();
    await expect.poll(() => cards(page).count()).toBeGreaterThan(24);
    await expect(cards(page).filter({ hasNotText: "Collins" })).toHaveCount(0);
  });

  test("adds the next page in place, without losing the books above", async ({ page }) => {
    await page.goto("/shop");
    await expect(cards(page)).toHaveCount(24);
    await page.getByRole("link", { name: "More books" }).click();
    await expect(cards(page)).toHaveCount(48);
    await page.getByRole("link", { name: "More books" }).click();
    await expect(cards(page)).toHaveCount(72);
    await expect(page.getByRole("status").filter({ hasText: /^Pages 1 to 3 of \d+$/ })).toBeVisible();
    await expect(page).toHaveURL(/\/shop$/);
    const titles = await cards(page).getByRole("heading").allInnerTexts();
    expect(new Set(titles).size).toBeGreaterThan(65);
  });

  test("shows the added pages again, at the same place, after coming back", { tag: "@gate" }, async ({
    page,
  }) => {
    await page.goto("/shop");
    const more = page.getByRole("link", { name: "More books" });
    await more.click();
    await expect(cards(page)).toHaveCount(48);
    const last = cards(page).last();
    await last.scrollIntoViewIfNeeded();
    const title = await last.getByRole("heading").innerText();
    await page.getByRole("contentinfo").getByRole("link", { name: "Contact" }).click();
    await expect(page.getByRole("heading", { level: 1 })).not.toHaveText("Shop Books");
    await page.goBack();
    await expect(cards(page)).toHaveCount(48);
    await expect(last.getByRole("heading")).toHaveText(title);
    await expect(last).toBeInViewport();
    await more.click();
    await expect(cards(page)).toHaveCount(72);
  });

  test("puts only chosen filters in the URL", { tag: "@gate" }, async ({ page }) => {
    await page.goto("/shop");
    await page.getByRole("combobox", { name: "Publisher" }).first().selectOption("Collins");
    await expect(page).toHaveURL(/\/shop\?publisher=Collins$/);
    const search = page.getByRole("searchbox", { name: "Search the catalogue" });
    await search.fill("atlas");
    await search.press("Enter");
    await expect(page).toHaveURL(/\/shop\?q=atlas&publisher=Collins$/);
    // Another search is another box; this one has the text from the address.
    await expect(search).toHaveAttribute("value", "atlas");
    await search.fill("");
    await search.press("Enter");
    await expect(page).toHaveURL(/\/shop\?publisher=Collins$/);
  });

  test("keeps search and every filter in the URL, and clears them", async ({ page }) => {
    await page.goto("/shop");
    await page.getByRole("searchbox", { name: "Search the catalogue" }).fill("  mathematics ");
    await page.getByRole("button", { name: "Search", exact: true }).last().click();
    await expect(page).toHaveURL(/\/shop\?q=/);
    await expect(page.getByRole("searchbox", { name: "Search the catalogue" })).toHaveValue("mathematics");

    await page.getByText("Advanced Filters").click();
    const advanced = page.getByRole("form", { name: "Advanced Filters" });
    await advanced.getByLabel("Publisher").selectOption("Collins");
    await expect(page).toHaveURL(/publisher=Collins/);
    await expect(page.getByText("Active", { exact: true })).toBeVisible();
    await expect(page.getByRole("combobox", { name: "Publisher" }).first()).toHaveValue("Collins");
    await advanced.getByLabel("Subject").selectOption("Mathematics");
    await expect(page).toHaveURL(/subject=Mathematics/);
    await expect(page).toHaveURL(/q=mathematics/);

    await page.getByRole("link", { name: "Clear All" }).click();
    await expect(page).toHaveURL(/\/shop$/);
    await expect(page.getByText("Active", { exact: true })).toBeHidden();
  });

  test("the catalogue keeps the focus on a filter after each choice, and accepts a publisher that isn't among the choices", async ({
    page,
  }) => {
    await page.goto("/shop");
    const publisher = page.getByRole("combobox", { name: "Publisher" }).first();
    await publisher.focus();
    await publisher.selectOption("Collins");
    await expect(page).toHaveURL(/publisher=Collins/);
    await expect(cards(page).first()).toContainText("Collins");
    await expect(publisher).toBeFocused();
    await publisher.selectOption("CGP");
    await expect(page).toHaveURL(/publisher=CGP/);
    await page.goBack();
    await expect(publisher).toHaveValue("Collins");

    await page.goto("/shop?publisher=Hachette%20Learning");
    await expect(page.getByText("Active", { exact: true })).toBeVisible();
    await expect(publisher).toHaveValue("Hachette Learning");
    for (const card of await cards(page).all()) await expect(card).toContainText("Hachette Learning");
    await page.getByRole("link", { name: "Clear All" }).click();
    await expect(page).toHaveURL(/\/shop$/);
  });

  test("asks visitors, and only visitors, to sign in", async ({ page, context, member, signIn }) => {
    await page.goto("/shop");
    await expect(page.getByText("Sign in to add books to your cart")).toBeVisible();
    await expect(page.getByRole("button", { name: "View Cart" })).toBeHidden();
    await signIn(context, member);
    const memberPage = await context.newPage();
    await memberPage.goto("/shop");
    await expect(memberPage.getByRole("button", { name: "View Cart" })).toBeVisible();
    await expect(memberPage.getByText("Sign in to add books to your cart")).toBeHidden();
  });

  test("is accessible on a phone and on a laptop", async ({ page }) => {
    await page.goto("/shop");
    await page.getByText("Advanced Filters").click();
    await expectAccessibleAtWidths(page);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the catalogue can be searched, filtered and paged", { tag: "@gate" }, async ({ page }) => {
    await page.goto("/shop");
    await page.getByRole("searchbox", { name: "Search the catalogue" }).fill("science");
    await page.getByRole("searchbox", { name: "Search the catalogue" }).press("Enter");
    await expect(page).toHaveURL(/q=science/);
    await expect(cards(page).first()).toBeVisible();

    await page.goto("/shop?subject=Science");
    const advanced = page.getByRole("form", { name: "Advanced Filters" });
    await advanced.getByLabel("Publisher").selectOption("CGP");
    await advanced.getByRole("button", { name: "Apply Filters" }).click();
    await expect(page).toHaveURL(/publisher=CGP/);
    await expect(page).toHaveURL(/subject=Science/);

    await page.goto("/shop");
    const first = await cards(page).first().textContent();
    await page.getByRole("link", { name: "More books" }).click();
    await expect(page).toHaveURL(/page=2/);
    expect(await cards(page).first().textContent()).not.toBe(first);
    await page.getByRole("link", { name: "Previous page" }).click();
    expect(await cards(page).first().textContent()).toBe(first);
  });
});
