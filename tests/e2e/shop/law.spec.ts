import { addBook, fillCart } from "#tests/support/factories.ts";
import { pdfPages } from "#tests/support/pdf-text.ts";
import { expect, expectAccessibleAtWidths, test } from "#tests/support/test.ts";
import { openAdmin, otherBrowser } from "../admin/back-office.ts";
import { fillIn, openCheckout, ordersOf, placeOrder } from "./checkout-steps.ts";

for (const width of [360, 1280]) {
  test(`a customer reads and prints the terms at ${width} px, orders under them, and staff see which version`, async ({
    page,
    context,
    browser,
    admin,
    member,
    signIn,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await signIn(context, member);
    await fillCart(member.client, (await addBook(admin.client)).id);
    await openCheckout(page);
    await fillIn(page);
    const checkout = page.getByRole("main");
    for (const [name, path] of [
      ["Terms", "/terms"],
      ["Delivery and returns", "/delivery-and-returns"],
      ["Privacy", "/privacy"],
    ] as const)
      await expect(checkout.getByRole("link", { name, exact: true })).toHaveAttribute("href", path);
    await checkout.getByRole("link", { name: "Terms", exact: true }).click();

    await expect(page.getByRole("heading", { level: 1, name: "Terms" })).toBeVisible();
    const version = await page.getByText(/^Version \d+, from /).textContent();
    await expect(page.getByRole("definition").filter({ hasText: "[registration number]" })).toBeVisible();
    await expectAccessibleAtWidths(page);
    const sheets = pdfPages(await page.pdf({ format: "A4" })).join(" ");
    expect(sheets).toContain("Cancelling and returning");
    expect(sheets).not.toContain("Quick Links");

    await page.goBack();
    await placeOrder(page).click();
    await expect(page.getByRole("heading", { name: "Your order is placed" })).toBeVisible();
    const [order] = await ordersOf(member);
    const office = await otherBrowser(browser, signIn, admin);
    await office.setViewportSize({ width, height: 800 });
    await openAdmin(office, `/admin/orders?q=${order?.id}`, "Order Management");
    await office.getByRole("button", { name: /^View details/ }).click();
    const terms = office
      .getByRole("dialog", { name: "Order Details" })
      .getByRole("link", { name: /^Version/ });
    const number = /\d+/.exec(version ?? "")?.[0];
    await expect(terms).toHaveText(`Version ${number}`);
    await expect(terms).toHaveAttribute("href", `/terms?version=${number}`);
    await office.context().close();
  });
}
