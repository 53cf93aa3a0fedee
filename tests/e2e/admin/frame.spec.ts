import { vainLook } from "#tests/support/intercept.ts";
import { expect, test } from "#tests/support/test.ts";
import { openAdmin } from "./back-office.ts";

const REM = 16;
const WEEK_SECONDS = 7 * 24 * 60 * 60;

test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

test("the sidebar is 16rem wide, 3rem as icons by Ctrl+B or Cmd+B, and remembers it for seven days", async ({
  page,
  context,
}) => {
  await openAdmin(page, "/admin", "Admin Dashboard");
  await expect(page.getByRole("banner").getByText("Admin Panel")).toBeVisible();
  const sidebar = page.getByRole("complementary");
  const expectWidth = (rem: number) =>
    expect.poll(async () => (await sidebar.boundingBox())?.width).toBe(rem * REM);
  await expectWidth(16);
  for (const entry of ["Dashboard", "Users", "Books", "Orders", "Reviews"])
    await expect(sidebar.getByRole("link", { name: entry, exact: true })).toBeVisible();

  await page.keyboard.press("Control+b");
  await expectWidth(3);
  await expect(sidebar.getByRole("link", { name: "Orders" })).toHaveAttribute("title", "Orders");
  const readCookie = async () => (await context.cookies()).find(({ name }) => name === "sidebar");
  await expect.poll(async () => (await readCookie())?.value).toBe("collapsed");
  const cookie = await readCookie();
  expect((cookie?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(WEEK_SECONDS - 60);
  expect((cookie?.expires ?? 0) - Date.now() / 1000).toBeLessThanOrEqual(WEEK_SECONDS + 1);

  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectWidth(3);
  await page.keyboard.press("Meta+b");
  await expectWidth(16);
  await page.getByRole("button", { name: "Toggle sidebar" }).click();
  await expectWidth(3);
});

test("the current page's entry is in view on a screen that is lower than the entries", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 560 });
  await openAdmin(page, "/admin/settings", "Settings");
  const list = page.getByRole("navigation", { name: "Back office" });
  await expect(list.getByRole("link", { name: "Settings" })).toBeInViewport();
  await expect(list.getByRole("link", { name: "Dashboard" })).not.toBeInViewport();
});

test("on a phone the sidebar is a sheet of 18rem that closes on Escape and on a choice", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openAdmin(page, "/admin", "Admin Dashboard");
  await expect(page.getByRole("navigation", { name: "Back office" })).toBeHidden();
  await page.getByRole("button", { name: "Toggle sidebar" }).click();
  const sheet = page.getByRole("dialog", { name: "Menu" });
  await expect.poll(async () => (await sheet.boundingBox())?.width).toBe(18 * REM);
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();

  await page.keyboard.press("Control+b");
  await sheet.getByRole("link", { name: "Users" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "User Management" })).toBeVisible();
  await expect(sheet).toBeHidden();
});

test("a page whose code cannot be fetched keeps the sidebar, and Try Again opens it once it can be", async ({
  page,
  context,
  consoleLines,
}) => {
  await openAdmin(page, "/admin", "Admin Dashboard");
  consoleLines.expect(/^Failed to check the duties again/);
  consoleLines.expect(/^Failed to show a page \(TypeError: Failed to fetch/);
  await context.setOffline(true);
  const menu = page.getByRole("navigation", { name: "Back office" });
  const looked = vainLook(page);
  await menu.getByRole("link", { name: "Reviews" }).click();
  await expect(page.getByRole("alert")).toContainText("We can't reach the shop right now");
  await expect(menu.getByRole("link", { name: "Orders" })).toBeVisible();

  await looked;
  await context.setOffline(false);
  await page.getByRole("link", { name: "Try Again" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Review Management" })).toBeVisible();
});

test("by keyboard alone an admin skips the menu, opens another page and uses a list", async ({ page }) => {
  await openAdmin(page, "/admin", "Admin Dashboard");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();

  await page.getByRole("link", { name: "Books", exact: true }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Book Management" })).toBeVisible();
  await page.getByRole("columnheader", { name: "Title" }).getByRole("button").focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/sort=title/);
  await expect(page.getByRole("columnheader", { name: "Title" })).toHaveAttribute("aria-sort", "ascending");
  await page.keyboard.press("Space");
  await expect(page.getByRole("columnheader", { name: "Title" })).toHaveAttribute("aria-sort", "descending");
});
