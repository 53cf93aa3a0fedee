import type { Page } from "@playwright/test";
import { expect, expectAccessible, test } from "#tests/support/test.ts";

const entries = ["Home", "About Us", "Products & Services", "Shop Books", "Contact Us"];
const services: Record<string, string> = {
  "Resource Selection Guidance": "/guidance",
  "Events and Trainings": "/events",
  "Cambridge University Press": "/products/cambridge",
  Collins: "/products/collins",
  CGP: "/products/cgp",
  "Hachette Learning": "/products/hachette",
  "Schofield & Sims": "/products/schofield",
  Skoldo: "/products/skoldo",
  "School booklists": "/lists",
  "Bulk orders": "/bulk-order",
};

const header = (page: Page) => page.getByRole("banner");
const servicesButton = (page: Page) => header(page).getByRole("button", { name: "Products & Services" });

test.describe("the header on a wide screen", () => {
  test("links to pages whose titles are announced", async ({ page }) => {
    await page.goto("/about");
    await expect(page.getByText("Contact Us | Adwene Books")).toHaveCount(0);
    await header(page).getByRole("link", { name: "Contact Us" }).click();
    await expect(page.getByText("Contact Us | Adwene Books")).toBeAttached();
  });

  test("works by keyboard: arrows wrap, letters find entries, Escape returns the focus", {
    tag: "@gate",
  }, async ({ page }) => {
    await page.goto("/about");
    await servicesButton(page).focus();
    const item = (name: string) => page.getByRole("menuitem", { name });
    await page.keyboard.press("ArrowDown");
    await expect(item("Resource Selection Guidance")).toBeFocused();
    await page.keyboard.press("ArrowUp");
    await expect(item("Bulk orders")).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await expect(item("Resource Selection Guidance")).toBeFocused();
    await page.keyboard.press("End");
    await expect(item("Bulk orders")).toBeFocused();
    await page.keyboard.press("Home");
    await page.keyboard.type("cg");
    await expect(item("CGP")).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(servicesButton(page)).toBeFocused();
    await expect(item("CGP")).toHaveCount(0);

    // What was typed before is forgotten: these letters begin a word of their own.
    await page.keyboard.press("ArrowDown");
    await page.keyboard.type("h");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL("/products/hachette");
  });

  test("keeps logo and search visible while the page scrolls", async ({ page }) => {
    await page.goto("/products/collins");
    await page.getByRole("contentinfo").scrollIntoViewIfNeeded();
    await expect(header(page).getByLabel("Search books").filter({ visible: true })).toBeInViewport();
    await expect(header(page).getByRole("link", { name: "Adwene Books, home" })).toBeInViewport();
  });
});

test.describe("the header's search", () => {
  const box = (page: Page) => header(page).getByLabel("Search books").filter({ visible: true });

  test("the header's search ignores a blank text and opens the master search with any other, trimmed and encoded", async ({
    page,
  }) => {
    await page.goto("/about");
    await expect(box(page)).toHaveAttribute("placeholder", "Search books...");
    for (const text of ["", "   "]) {
      await box(page).fill(text);
      await header(page).getByRole("button", { name: "Search" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "About Us" })).toBeVisible();
      await expect(page).toHaveURL("/about");
    }
    await box(page).fill("  maths & more? 100% ");
    await box(page).press("Enter");
    await expect(page).toHaveURL("/search?q=maths%20%26%20more%3F%20100%25");
    await expect(page.getByRole("searchbox", { name: "Search for" })).toHaveValue("maths & more? 100%");
  });
});

test.describe("the mobile menu", () => {
  test.use({ viewport: { width: 360, height: 740 } });

  const toggle = (page: Page) => header(page).getByRole("button", { name: "Menu" });
  const menu = (page: Page) => page.getByRole("navigation", { name: "Mobile" });

  test("is a toggle list with the same entries and search", async ({ page }) => {
    await page.goto("/about");
    await expect(menu(page)).toBeHidden();
    await toggle(page).click();
    for (const entry of entries) await expect(menu(page).getByText(entry, { exact: true })).toBeVisible();
    await menu(page).getByText("Products & Services").click();
    for (const [name, path] of Object.entries(services)) {
      await expect(menu(page).getByRole("link", { name, exact: true })).toHaveAttribute("href", path);
    }
    await expectAccessible(page);
    await toggle(page).click();
    await expect(menu(page)).toBeHidden();
  });

  test("closes when one of its entries is followed", async ({ page }) => {
    await page.goto("/about");
    await toggle(page).click();
    await menu(page).getByRole("link", { name: "Contact Us" }).click();
    await expect(page).toHaveURL("/contact");
    await expect(menu(page)).toBeHidden();
  });

  test("searches", async ({ page }) => {
    await page.goto("/about");
    await toggle(page).click();
    const box = page.getByLabel("Search books").filter({ visible: true });
    await box.fill("atlas");
    await box.press("Enter");
    await expect(page).toHaveURL("/search?q=atlas");
    await expect(menu(page)).toBeHidden();
  });

  test("works without JavaScript, as the menu and the search of a wide screen do", async ({
    browser,
    baseURL,
  }) => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      baseURL,
      viewport: { width: 360, height: 740 },
    });
    const page = await context.newPage();
    await page.goto("/about");
    await toggle(page).click();
    await menu(page).getByText("Products & Services").click();
    await menu(page).getByRole("link", { name: "CGP" }).click();
    await expect(page).toHaveURL("/products/cgp");
    await page.setViewportSize({ width: 1280, height: 800 });
    await servicesButton(page).click();
    await page.getByRole("menuitem", { name: "Skoldo" }).click();
    await expect(page).toHaveURL("/products/skoldo");
    const box = header(page).getByLabel("Search books").filter({ visible: true });
    await box.fill("mental arithmetic");
    await box.press("Enter");
    await expect(page).toHaveURL(/\/search\?q=mental(\+|%20)arithmetic/);
    await expect(page.getByRole("article").first()).toContainText("Mental Arithmetic");
    await context.close();
  });
});
