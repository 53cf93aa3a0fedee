import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { addCodeTitle, addFileTitle, pdfOf, recordMoney } from "#tests/support/digital-client.ts";
import { addBook, dataOf, fillCart } from "#tests/support/factories.ts";
import { expect, expectAccessibleAtWidths, type Member, test } from "#tests/support/test.ts";
import { fillIn, openCheckout, placeOrder } from "./checkout-steps.ts";

const downloads = (page: Page) => page.getByRole("region", { name: "Downloads" });
const summary = (page: Page) => page.getByRole("region", { name: "Order Summary" });

async function newestOrder(member: Member) {
  return dataOf(
    member.client
      .from("orders")
      .select("id, status, delivery_method, delivery_fee, shipping_address, region")
      .order("created_at", { ascending: false })
      .limit(1)
      .single(),
  );
}

async function fillInDetails(page: Page) {
  await page.getByLabel("Full Name").fill("Esi Owusu");
  await page.getByLabel("Email").fill("esi@school.example");
  await page.getByLabel("Phone").fill("+233 20 765 4321");
}

test.describe("digital titles", () => {
  test.beforeEach(async ({ context, member, signIn }) => signIn(context, member));

  for (const width of [360, 1280])
    test(`a customer buys a file, downloads it whole, and loses it with the refund, at ${width} px`, async ({
      page,
      admin,
      member,
    }) => {
      await page.setViewportSize({ width, height: 800 });
      const content = pdfOf(9_000_000);
      const name = "Science Ɛ 5.pdf";
      const book = await addFileTitle(admin.client, content, name, { price: 30 });
      await page.goto(`/shop?q=${encodeURIComponent(book.title)}&kind=digital`);
      const card = page.getByRole("article").filter({ hasText: book.title });
      await expect(card.getByText("Digital download")).toBeVisible();
      await card.getByRole("link", { name: book.title }).click();
      await expect(page.getByRole("heading", { level: 1, name: book.title })).toBeVisible();
      await expect(page.getByText("Digital download").first()).toBeVisible();
      await expect(page.getByText("Delivered as")).toBeVisible();
      const jsonLd = JSON.parse(
        (await page.locator("script[type='application/ld+json']").first().textContent()) ?? "{}",
      );
      expect(jsonLd.bookFormat).toBe("https://schema.org/EBook");
      expect(JSON.stringify(jsonLd)).not.toMatch(/shipping/i);

      await fillCart(member.client, book.id);
      await openCheckout(page);
      await expect(page.getByLabel("Address", { exact: true })).toHaveCount(0);
      await expect(page.getByRole("radio")).toHaveCount(0);
      await expect(summary(page)).toContainText("By download");
      await fillInDetails(page);
      await expectAccessibleAtWidths(page);
      await placeOrder(page).click();
      await expect(page.getByRole("heading", { name: "Your order is placed" })).toBeVisible();
      await expect(downloads(page)).toContainText("Available once the order is paid.");
      await expectAccessibleAtWidths(page);
      const order = await newestOrder(member);
      expect(order).toMatchObject({
        delivery_method: "download",
        delivery_fee: 0,
        shipping_address: null,
        region: null,
      });

      await recordMoney(admin.client, order.id, 30);
      await page.reload();
      await expect(page.getByRole("heading", { name: "Your downloads are ready" })).toBeVisible();
      await expect(downloads(page)).toContainText("PDF, 8.6 MB · 5 downloads left");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        downloads(page)
          .getByRole("button", { name: `Download ${name}` })
          .click(),
      ]);
      expect(download.suggestedFilename()).toBe(name);
      expect((await readFile(await download.path())).equals(content)).toBe(true);
      await expect(downloads(page)).toContainText("4 downloads left");
      await expectAccessibleAtWidths(page);
      await page.reload();
      await expect(downloads(page)).toContainText("4 downloads left");
      const link = download.url();

      await recordMoney(admin.client, order.id, 30, "refund");
      await page.reload();
      await expect(downloads(page)).toContainText(
        "This order was cancelled or refunded, so its downloads have ended.",
      );
      await expect(downloads(page).getByRole("button")).toHaveCount(0);
      expect((await page.request.get(link)).status()).toBe(410);
    });

  for (const width of [360, 1280])
    test(`a customer buys a licence code, sees it once it is paid, and the browser stores no copy, at ${width} px`, {
      tag: width === 360 ? "@gate" : [],
    }, async ({ page, admin, member }) => {
      await page.setViewportSize({ width, height: 800 });
      const code = `CODE-${crypto.randomUUID()}`;
      const book = await addCodeTitle(admin.client, [code], { price: 25 });
      await page.goto(`/shop?q=${encodeURIComponent(book.title)}`);
      const card = page.getByRole("article").filter({ hasText: book.title });
      await expect(card.getByText("Licence code")).toBeVisible();
      await expect(card.getByText("1 left")).toBeVisible();
      await fillCart(member.client, book.id);
      await openCheckout(page);
      await fillInDetails(page);
      await placeOrder(page).click();
      await expect(downloads(page)).toContainText("Available once the order is paid.");
      const order = await newestOrder(member);
      await recordMoney(admin.client, order.id, 25);

      await page.goto("/orders");
      await page.getByRole("link", { name: /^Downloads of order/ }).click();
      const codes = downloads(page).getByRole("list", { name: `Licence codes of ${book.title}` });
      await expect(codes.getByText(code)).toBeVisible();
      await expect(codes.getByRole("button", { name: "Copy the code" })).toBeVisible();
      await expectAccessibleAtWidths(page);
      const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
      expect(stored).toContain(order.id);
      expect(stored).not.toContain(code);

      await recordMoney(admin.client, order.id, 25, "refund");
      await page.reload();
      await expect(downloads(page)).toContainText("downloads have ended");
      await expect(page.getByText(code)).toHaveCount(0);
    });

  test("a mixed cart is delivered as before, and what was typed stays while it changes between kinds", async ({
    page,
    admin,
    member,
  }) => {
    const paper = await addBook(admin.client, { price: 10 });
    const file = await addFileTitle(admin.client, pdfOf(2_000), "Notes.pdf", { price: 20 });
    await fillCart(member.client, file.id);
    const line = await fillCart(member.client, paper.id);
    await openCheckout(page);
    await fillIn(page);
    await page.getByText("Collect at the shop").click();
    await expect(summary(page)).toContainText("Free");

    await dataOf(member.client.from("cart_items").delete().eq("id", line).select());
    await page.reload();
    await expect(summary(page)).toContainText("By download");
    await expect(page.getByLabel("City")).toHaveCount(0);
    await expect(page.getByLabel("Full Name")).toHaveValue("Esi Owusu");
    await fillCart(member.client, paper.id);
    await page.reload();
    await expect(page.getByLabel("City")).toHaveValue("Cape Coast");
    await expect(page.getByRole("radio", { name: "Collect at the shop" })).toBeChecked();
    await placeOrder(page).click();
    await expect(downloads(page)).toContainText("Available once the order is paid.");
    const order = await newestOrder(member);
    expect(order).toMatchObject({
      delivery_method: "collect",
      shipping_address: "5 Castle Road, Cape Coast",
    });
    await recordMoney(admin.client, order.id, 30);
    await page.reload();
    await expect(downloads(page).getByRole("button", { name: "Download Notes.pdf" })).toBeVisible();
    // The book is still to be handed over.
    expect((await newestOrder(member)).status).toBe("pending");
  });

  test("a download that can't start says why, and the page stays", async ({
    page,
    admin,
    member,
    consoleLines,
  }) => {
    consoleLines.expect(/^Failed to start a download/);
    const book = await addFileTitle(admin.client, pdfOf(2_000), "Notes.pdf", { price: 20 });
    await fillCart(member.client, book.id);
    await openCheckout(page);
    await fillInDetails(page);
    await placeOrder(page).click();
    await expect(downloads(page)).toBeVisible();
    const order = await newestOrder(member);
    await recordMoney(admin.client, order.id, 20);
    await page.reload();
    const button = downloads(page).getByRole("button", { name: "Download Notes.pdf" });
    await expect(button).toBeVisible();
    await recordMoney(admin.client, order.id, 20, "refund");
    await button.click();
    await expect(
      page.getByText("This order was cancelled or refunded, so it can't be downloaded any more."),
    ).toBeVisible();
    await expect(button).toBeEnabled();
  });
});
