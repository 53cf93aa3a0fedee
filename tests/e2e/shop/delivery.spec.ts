import type { Page } from "@playwright/test";
import { addBook, dataOf, fillCart, newTitle } from "#tests/support/factories.ts";
import { breakCalls, holdBack } from "#tests/support/intercept.ts";
import { expect, expectAccessibleAtWidths, test } from "#tests/support/test.ts";
import { fillIn, openCheckout, placeOrder } from "./checkout-steps.ts";

const MALFORMED = "Please enter a valid digital address, such as GA-183-8164.";
const FEE = /\/rpc\/delivery_fee/;
const summary = (page: Page) => page.getByRole("region", { name: "Order Summary" });
const unfold = (page: Page) => page.getByText("Delivery details and your reference (optional)").click();

test.describe("the delivery of an order", () => {
  test.beforeEach(async ({ context, member, signIn }) => signIn(context, member));

  test("is chosen at checkout, shown with the order and remembered", async ({ page, admin, member }) => {
    await page.setViewportSize({ width: 360, height: 800 });
    await fillCart(member.client, (await addBook(admin.client)).id);
    await openCheckout(page);
    await fillIn(page);
    await expect(page.getByLabel("Landmark")).toBeHidden();
    await unfold(page);
    await page.getByLabel("Region").selectOption("Central");
    await page.getByLabel("Landmark").fill("Opposite the castle");
    await page.getByLabel("Digital address").pressSequentially("cc0123456");
    await page.keyboard.press("Tab");
    await expect(page.getByLabel("Digital address")).toHaveValue("CC-012-3456");
    const address = page.getByLabel("Digital address");
    await address.fill("cc-012");
    await page.getByText("Bus parcel station").click();
    await expect(address).toHaveAccessibleDescription(MALFORMED);
    await unfold(page);
    await expect(address).toBeHidden();
    await expectAccessibleAtWidths(page);

    await placeOrder(page).click();
    await expect(page.getByRole("textbox", { name: "Bus parcel station" })).toBeFocused();
    await page.keyboard.type("STC, Cape Coast");
    await placeOrder(page).click();
    await expect(address).toBeFocused();
    await expect(address).toHaveAccessibleDescription(MALFORMED);
    await address.fill("cc 012 3456");
    await page.getByLabel("Delivery note").fill("Call before you send it");
    await page.getByLabel("Your reference (optional)").fill("LPO 2026/17");
    await expectAccessibleAtWidths(page);
    await placeOrder(page).click();

    await expect(page.getByRole("heading", { name: "Your order is placed" })).toBeVisible();
    const main = page.getByRole("main");
    for (const words of [
      "Bus parcel station: STC, Cape Coast",
      "Central",
      "Opposite the castle",
      "CC-012-3456",
      "Call before you send it",
      "LPO 2026/17",
    ])
      await expect(main.getByText(words, { exact: true })).toBeVisible();
    const order = await dataOf(
      member.client.from("orders").select("delivery_method, bus_station, delivery_fee").single(),
    );
    expect(order).toEqual({
      delivery_method: "bus_station",
      bus_station: "STC, Cape Coast",
      delivery_fee: 0,
    });

    await fillCart(member.client, (await addBook(admin.client)).id);
    await openCheckout(page);
    await expect(page.getByRole("radio", { name: "Bus parcel station" })).toBeChecked();
    await expect(page.getByRole("textbox", { name: "Bus parcel station" })).toHaveValue("STC, Cape Coast");
    await expect(page.getByText("Central, CC-012-3456, Opposite the castle")).toBeVisible();
    await unfold(page);
    await expect(page.getByLabel("Region")).toHaveValue("Central");
    for (const label of ["Delivery note", "Your reference"])
      await expect(page.getByLabel(label)).toHaveValue("");
    await page.getByText("Collect at the shop").click();
    await expect(page.getByLabel("Region")).toHaveCount(0);
  });

  test("costs what the shop says, which the total shows and the order must match", { tag: "@gate" }, async ({
    page,
    admin,
    member,
    consoleLines,
  }) => {
    consoleLines.expect(/Failed to place order .*total_changed/);
    await fillCart(member.client, (await addBook(admin.client, { price: 50 })).id);
    await page.route(FEE, (route) =>
      route.fulfill({ json: route.request().postData()?.includes("Volta") ? 15.5 : null }),
    );
    const release = await holdBack(page, /\/rest\/v1\/profiles/);
    await openCheckout(page);
    await expect(summary(page)).toContainText("ShippingChoose a region");
    await expect(summary(page)).toContainText("Totalfrom ₵50.00");
    await unfold(page);
    await page.getByLabel("Region").selectOption("Volta");
    await expect(summary(page)).toContainText("ShippingGH₵15.50");
    // The profile, which arrives late, must not undo the choice.
    release();
    await expect(page.getByLabel("Full Name")).not.toHaveValue("");
    await expect(page.getByLabel("Region")).toHaveValue("Volta");
    await expect(summary(page)).toContainText("Total₵65.50");
    await fillIn(page);
    // The shop itself has no fee: it refuses a total that is not its own.
    await page.unroute(FEE);
    await placeOrder(page).click();
    await expect(page.getByText("Delivery is free.").first()).toBeVisible();
    await expect(summary(page)).toContainText("ShippingFree");
    await placeOrder(page).click();
    await expect(page.getByRole("heading", { name: "Your order is placed" })).toBeVisible();
  });

  test("before the delivery fee is known, the checkout shows no fee or total and accepts no order", async ({
    page,
    admin,
    member,
    consoleLines,
  }) => {
    consoleLines.expect(/^Failed to read the delivery fee/);
    await fillCart(member.client, (await addBook(admin.client, { price: 50 })).id);
    const mend = await breakCalls(page, FEE, "POST");
    const release = await holdBack(page, FEE);
    await page.goto("/checkout");
    for (const state of ["loading", "failed"]) {
      await expect(summary(page)).toContainText(
        state === "loading" ? "ShippingWorking it out…" : "ShippingNot known yet",
      );
      await expect(summary(page)).toContainText("Totalfrom ₵50.00");
      await expect(placeOrder(page)).toBeDisabled();
      release();
    }
    await expect(page.getByText("We couldn't work out what delivery costs.")).toBeVisible();
    await mend();
    await page.route(FEE, (route) => route.fulfill({ json: 45 }));
    await page.getByRole("button", { name: "Try Again" }).click();
    await expect(summary(page)).toContainText("ShippingGH₵45.00Total₵95.00");
    await expect(placeOrder(page)).toBeEnabled();
  });

  test("on a phone, the checkout collapses optional fields and a long summary", async ({
    page,
    admin,
    member,
  }) => {
    const title = newTitle("Cambridge Lower Secondary Mathematics Learner's Book");
    const rows = Array.from({ length: 114 }, (_, n) => ({
      title: `${title} ${n}.`,
      price: 10,
      stock_quantity: 9,
    }));
    const books = await dataOf(admin.client.from("books").insert(rows).select("id"));
    await dataOf(
      member.client.rpc("add_books_to_cart", {
        _book_ids: books.map(({ id }) => id),
        _quantities: books.map(() => 2),
      }),
    );
    await page.setViewportSize({ width: 360, height: 640 });
    await openCheckout(page);
    const bottom = () =>
      placeOrder(page).evaluate((button) => button.getBoundingClientRect().bottom + scrollY);
    await expect(summary(page)).toContainText("Total₵2,280.00");
    expect(await bottom()).toBeLessThan(2_100);
    await summary(page).getByRole("button", { name: "Show all 114 titles" }).click();
    await expect(summary(page).getByRole("list").getByRole("listitem")).toHaveCount(114);
  });
});
