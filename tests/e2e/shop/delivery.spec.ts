import { addBook, dataOf, fillCart } from "#tests/support/factories.ts";
import { holdBack } from "#tests/support/intercept.ts";
import { expect, expectAccessible, test } from "#tests/support/test.ts";
import { fillIn, openCheckout, placeOrder } from "./checkout-steps.ts";

test.describe("the delivery of an order", () => {
  test.beforeEach(async ({ context, member, signIn }) => signIn(context, member));

  for (const width of [360, 1280])
    test(`is chosen at checkout, shown with the order and remembered, ${width} px wide`, async ({
      page,
      admin,
      member,
    }) => {
      await page.setViewportSize({ width, height: 800 });
      await fillCart(member.client, (await addBook(admin.client)).id);
      await openCheckout(page);
      await fillIn(page);
      await page.getByLabel("Region").selectOption("Central");
      await page.getByLabel("Landmark").fill("Opposite the castle");
      await page.getByLabel("Digital address").pressSequentially("cc0123456");
      await expect(page.getByLabel("Digital address")).toHaveValue("CC-012-3456");
      await page.getByLabel("Digital address").fill("cc-012");
      await page.getByText("Bus parcel station").click();
      await page.getByLabel("Delivery note").fill("Call before you send it");
      await expectAccessible(page);

      await placeOrder(page).click();
      await expect(page.getByRole("textbox", { name: "Bus parcel station" })).toBeFocused();
      await page.keyboard.type("STC, Cape Coast");
      await placeOrder(page).click();
      const address = page.getByLabel("Digital address");
      await expect(address).toBeFocused();
      await expect(address).toHaveAccessibleDescription(
        "Please enter a valid digital address, such as GA-183-8164.",
      );
      await address.fill("cc 012 3456");
      await placeOrder(page).click();

      await expect(page.getByRole("heading", { name: "Your order is placed" })).toBeVisible();
      const main = page.getByRole("main");
      for (const words of [
        "Bus parcel station: STC, Cape Coast",
        "Central",
        "Opposite the castle",
        "CC-012-3456",
        "Call before you send it",
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
      await expect(page.getByLabel("Region")).toHaveValue("Central");
      await expect(page.getByLabel("Delivery note")).toHaveValue("");
      await page.getByText("Collect at the shop").click();
      await expect(page.getByLabel("Region")).toHaveCount(0);
    });

  test("costs what the shop says, which the total shows and the order must match", async ({
    page,
    admin,
    member,
    consoleLines,
  }) => {
    consoleLines.expect(/Failed to place order .*total_changed/);
    await fillCart(member.client, (await addBook(admin.client, { price: 50 })).id);
    await page.route(/\/rpc\/delivery_fee/, (route) =>
      route.fulfill({ json: route.request().postData()?.includes("Volta") ? 15.5 : 0 }),
    );
    const release = await holdBack(page, /\/rest\/v1\/profiles/);
    await openCheckout(page);
    const summary = page.getByRole("region", { name: "Order Summary" });
    await expect(summary).toContainText("ShippingFree");
    await page.getByLabel("Region").selectOption("Volta");
    await expect(summary).toContainText("ShippingGH₵15.50");
    // The profile, which arrives late, must not undo the choice.
    release();
    await expect(page.getByLabel("Full Name")).not.toHaveValue("");
    await expect(page.getByLabel("Region")).toHaveValue("Volta");
    await expect(summary).toContainText("Total₵65.50");
    await fillIn(page);
    // The shop itself has no fee: it refuses a total that is not its own.
    await page.unroute(/\/rpc\/delivery_fee/);
    await placeOrder(page).click();
    await expect(page.getByText("Delivery is free.").first()).toBeVisible();
    await expect(summary).toContainText("ShippingFree");
    await placeOrder(page).click();
    await expect(page.getByRole("heading", { name: "Your order is placed" })).toBeVisible();
  });
});
