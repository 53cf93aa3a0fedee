import { addBook, placeOrder } from "#tests/support/factories.ts";
import { holdBack } from "#tests/support/intercept.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, test } from "#tests/support/test.ts";
import { chooseStatus, giveRole, numberOf, openAdmin, openOrder, otherBrowser } from "./back-office.ts";

/** Words of the back office that no visitor's code may contain. */
const adminWords = [
  "User role updated to",
  "Order deleted successfully",
  "Crop Book Cover",
  "Admin Dashboard",
];

/** Follows what a page asks the backend for, and whether code of the back office arrives. */
function watchTraffic(page: import("@playwright/test").Page) {
  const asked: string[] = [];
  const scripts: Promise<string>[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/rest/v1/")) asked.push(pathname.replace("/rest/v1/", ""));
  });
  page.on("response", (response) => {
    if (response.url().endsWith(".js")) scripts.push(response.text().catch(() => ""));
  });
  return {
    asked: (pattern: RegExp) => asked.filter((path) => pattern.test(path)),
    adminCode: async () => {
      const code = (await Promise.all(scripts)).join("\n");
      return adminWords.filter((words) => code.includes(words));
    },
    scriptCount: () => scripts.length,
  };
}

const adminData =
  /^(rpc\/(admin_|dashboard_stats|list_publisher_statistics|list_low_stock)|orders|order_|profiles|audit)/;

test.describe("access to the back office", () => {
  test("a visitor is redirected to the sign-in page, and gets neither its data nor its code", {
    tag: "@gate",
  }, async ({ page }) => {
    const traffic = watchTraffic(page);
    await page.goto("/admin/users");
    await expect(page).toHaveURL(/\/auth$/);
    await page.goto("/shop");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(traffic.asked(adminData)).toEqual([]);
    expect(traffic.scriptCount()).toBeGreaterThan(2);
    expect(await traffic.adminCode()).toEqual([]);
  });

  test("a customer is redirected to the home page, and gets neither", { tag: "@gate" }, async ({
    page,
    context,
    member,
    signIn,
  }) => {
    await signIn(context, member);
    const traffic = watchTraffic(page);
    await page.goto("/admin");
    await expect(page).toHaveURL(/\/$/);
    await page.goto("/admin/orders");
    await expect(page).toHaveURL(/\/$/);
    expect(traffic.asked(/get_user_role/).length).toBeGreaterThan(1);
    expect(traffic.asked(adminData)).toEqual([]);
    expect(await traffic.adminCode()).toEqual([]);
  });

  test("an admin sees a skeleton until their duties are known, and only then is data requested", async ({
    page,
    context,
    admin,
    signIn,
  }) => {
    await signIn(context, admin);
    const traffic = watchTraffic(page);
    const release = await holdBack(page, /rpc\/get_user_role/);
    await page.goto("/admin");
    await expect(page.getByRole("status").filter({ hasText: "Checking your access..." })).toBeAttached();
    await expect(page.getByRole("navigation", { name: "Back office" })).toBeHidden();
    expect(traffic.asked(adminData)).toEqual([]);
    expect(await traffic.adminCode()).toEqual([]);
    release();
    await expect(page.getByRole("heading", { level: 1, name: "Admin Dashboard" })).toBeVisible();
    expect(traffic.asked(/dashboard_stats/)).not.toEqual([]);
  });

  test("a check of duties that fails lets no one in", { tag: "@gate" }, async ({
    page,
    context,
    admin,
    signIn,
    consoleLines,
  }) => {
    consoleLines.expect(/^Failed to check the duties/);
    await signIn(context, admin);
    await page.route(/rpc\/get_user_role/, (route) =>
      route.fulfill({ status: 500, json: { message: "down" } }),
    );
    await page.goto("/admin");
    await expect(page).toHaveURL(/\/$/);
  });
});

test.describe("a role that is removed while the admin works", () => {
  test("ends access on the next change", async ({
    page,
    context,
    admin,
    newMember,
    signIn,
    consoleLines,
  }) => {
    consoleLines.expect(/^Failed to update order status/);
    const [second, customer] = [await newMember(), await newMember()];
    await giveRole(admin, second.id, "admin");
    const order = await placeOrder(customer, await addBook(admin.client), 1);
    await signIn(context, second);
    const row = await openOrder(page, order);

    await giveRole(admin, second.id, "user");
    await chooseStatus(row, "Processing");
    await expectMessage(page, "Failed to update order status");
    await expect(page).toHaveURL(/\/$/);
    const { data } = await admin.client.from("orders").select("status").eq("id", order).single();
    expect(data?.status).toBe("pending");
  });

  test("ends access on the next page", async ({ page, context, admin, member, signIn }) => {
    await giveRole(admin, member.id, "admin");
    await signIn(context, member);
    await openAdmin(page, "/admin/reviews", "Review Management");
    // A read still pending when the role is removed would end it too.
    await expect(page.getByRole("table", { name: "Reviews" })).not.toHaveAttribute("aria-busy", "true");
    await giveRole(admin, member.id, "user");
    await page.getByRole("link", { name: "Users" }).click();
    await expect(page).toHaveURL(/\/$/);
  });
});

test("signing out leads to the sign-in page", async ({ page, context, admin, signIn }) => {
  await signIn(context, admin);
  await openAdmin(page, "/admin", "Admin Dashboard");
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(page).toHaveURL(/\/auth$/);
});

test("the account menu links to the back office for staff only", async ({
  page,
  browser,
  context,
  admin,
  member,
  signIn,
}) => {
  await signIn(context, member);
  const asked = page.waitForResponse(/rpc\/get_user_role/);
  await page.goto("/shop");
  await asked;
  await page.getByRole("button", { name: "Account" }).click();
  await expect(page.getByRole("menuitem", { name: "Wishlist" })).toBeVisible();
  await expect(page.getByRole("menuitem", { name: "Admin Panel" })).toBeHidden();

  const staff = await otherBrowser(browser, signIn, admin);
  await staff.goto("/shop");
  await staff.getByRole("button", { name: "Account" }).click();
  await expect(staff.getByRole("menuitem", { name: "Admin Panel" })).toBeVisible();
  await expect(staff.getByRole("menuitem").last()).toHaveText("Sign Out");
  await staff.getByRole("menuitem", { name: "Admin Panel" }).click();
  await expect(staff.getByRole("heading", { level: 1, name: "Admin Dashboard" })).toBeVisible();
  await staff.context().close();
});

test("an order number in the URL opens the order; any other text shows the not-found page", async ({
  page,
  context,
  admin,
  member,
  signIn,
  consoleLines,
}) => {
  consoleLines.expect(/^404: no page at/);
  const order = await placeOrder(member, await addBook(admin.client));
  const number = await numberOf(admin, order);
  await signIn(context, admin);
  await page.goto(`/admin/orders/${number}`);
  const details = page.getByRole("dialog", { name: "Order Details" });
  await expect(details).toContainText(`Order ${number}`);
  await expect(details).toContainText(member.email);
  await page.goto("/admin/orders/foo");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Oops! Page not found");
  await expect(page).toHaveTitle(/^Page not found/);
});
