import type { Page } from "@playwright/test";
import { expect, expectAccessible, test } from "#tests/support/test.ts";

test.use({ viewport: { width: 360, height: 740 } });

/** The browser's own setting, which a test cannot reach. */
const saveData = (page: Page) =>
  page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, "connection", { get: () => ({ saveData: true }) }),
  );

function watchPictures(page: Page, folder: string) {
  const asked = new Set<string>();
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith(folder)) asked.add(pathname);
  });
  return asked;
}

test("A browser that saves data gets a carousel's pictures only when asked, by keyboard too", async ({
  page,
}) => {
  await saveData(page);
  const asked = watchPictures(page, "/pictures/home/");
  await page.goto("/");
  const carousel = page.getByRole("region", { name: "From our shelves" });
  const button = carousel.getByRole("button", { name: "Show pictures" });
  await button.scrollIntoViewIfNeeded();
  await button.focus();
  await expect(carousel.getByRole("img")).toHaveCount(0);
  await expectAccessible(page);
  expect([...asked]).toEqual([]);

  await page.keyboard.press("Enter");
  await expect(carousel.getByRole("img")).toBeVisible();
  await expect.poll(() => asked.size).toBeGreaterThan(0);
  await expect(button).toBeHidden();
  await expect(carousel.getByRole("button", { name: "Previous slide" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(carousel.getByRole("button", { name: "Go to slide 2", exact: true })).toHaveAttribute(
    "aria-current",
    "true",
  );
});

test("Any other browser gets them without asking", { tag: "@gate" }, async ({ page }) => {
  const asked = watchPictures(page, "/pictures/about/");
  await page.goto("/about");
  await page.getByRole("region", { name: "Our story in pictures" }).scrollIntoViewIfNeeded();
  await expect.poll(() => asked.size).toBeGreaterThan(0);
  await expect(page.getByRole("button", { name: "Show pictures" })).toBeHidden();
});
