import { addBook, dataOf, fillCart } from "#tests/support/factories.ts";
import { expect, expectAccessibleAtWidths, test } from "#tests/support/test.ts";
import { fillIn, openCheckout, placeOrder } from "../shop/checkout-steps.ts";
import { openAdmin, otherBrowser } from "./back-office.ts";

test("a school's own number for an order is on its page, its documents and in the back office", async ({
  page,
  context,
  browser,
  admin,
  member,
  signIn,
}) => {
  const reference = "LPO/2026-17";
  await page.setViewportSize({ width: 360, height: 800 });
  await signIn(context, member);
  await fillCart(member.client, (await addBook(admin.client)).id);
  await openCheckout(page);
  await fillIn(page);
  await page.getByText("Delivery details and your reference (optional)").click();
  await page.getByLabel("Your reference (optional)").fill(` ${reference} `);
  await expectAccessibleAtWidths(page);
  await placeOrder(page).click();

  await expect(page.getByRole("heading", { name: "Your order is placed" })).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: reference })).toHaveText(reference);
  await expect(page.getByText("Your reference", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Invoice" }).click();
  await expect(page.getByRole("article", { name: "Invoice" })).toContainText(`Your reference${reference}`);

  const office = await otherBrowser(browser, signIn, admin);
  await office.setViewportSize({ width: 360, height: 800 });
  await openAdmin(office, `/admin/orders?q=${encodeURIComponent(reference)}`, "Order Management");
  const row = office.getByRole("table", { name: "Orders" }).getByRole("row").filter({ hasText: reference });
  await expect(row).toHaveCount(1);
  await expect(row).toContainText(`Customer's reference ${reference}`);
  await row.getByRole("button", { name: /^View details/ }).click();
  const dialog = office.getByRole("dialog", { name: "Order Details" });
  await expect(dialog.getByRole("definition").filter({ hasText: reference })).toHaveText(reference);
  await expectAccessibleAtWidths(office);
  const { customer_reference } = await dataOf(
    member.client.from("orders").select("customer_reference").single(),
  );
  expect(customer_reference).toBe(reference);
  await office.context().close();
});
