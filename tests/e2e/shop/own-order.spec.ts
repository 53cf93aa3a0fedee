import { addBook, dataOf, newTitle, placeOrder } from "#tests/support/factories.ts";
import { printedHeaderOffset } from "#tests/support/layout.ts";
import { pdfPages } from "#tests/support/pdf-text.ts";
import { expect, expectAccessibleAtWidths, test } from "#tests/support/test.ts";
import { numberOf, otherBrowser } from "../admin/back-office.ts";
import { panel } from "./checkout-steps.ts";

test.describe("a placed order", () => {
  test.beforeEach(async ({ context, member, signIn }) => signIn(context, member));

  test("shows what has happened, prints its documents and is ordered again", async ({
    page,
    admin,
    member,
  }) => {
    await page.setViewportSize({ width: 360, height: 800 });
    const remaining = await addBook(admin.client, { title: newTitle("Kept"), price: 40 });
    const sold = await addBook(admin.client, { title: newTitle("Sold"), price: 10, stock_quantity: 1 });
    await member.client.rpc("add_to_cart", { _book_id: remaining.id, _quantity: 2 });
    const id = await placeOrder(member, sold, 1, { total_amount: 90 } as object);
    await dataOf(admin.client.from("orders").update({ status: "processing" }).eq("id", id).select("id"));

    await page.goto(`/order-confirmation/${id}`);
    const steps = page.getByRole("region", { name: "What has happened" }).getByRole("listitem");
    await expect(steps).toHaveCount(2);
    await expect(steps.first()).toContainText("Order placed");
    await expect(steps.last()).toContainText("Being prepared");
    await expectAccessibleAtWidths(page);

    await page.getByRole("button", { name: "Order again" }).click();
    const note = page.getByRole("status").filter({ hasText: "added to your cart" });
    await expect(note).toContainText("1 title (2 copies) added to your cart.");
    await expect(note).toContainText(`${sold.title}: Out of stock.`);
    await note.getByRole("button", { name: "View Cart" }).click();
    await expect(panel(page).getByRole("list", { name: "Books in the cart" })).toContainText(remaining.title);
    await page.keyboard.press("Escape");

    await page.getByRole("link", { name: "Invoice" }).click();
    const invoice = page.getByRole("article", { name: "Invoice" });
    await expect(invoice).toBeVisible();
    const { reference } = await dataOf(
      admin.client.from("invoices").select("reference").eq("order_id", id).single(),
    );
    await expect(invoice).toContainText(`Number${reference}`);
    for (const words of [remaining.title, "GH₵80.00", "GH₵90.00", "PaidGH₵0.00", "DueGH₵90.00"])
      await expect(invoice).toContainText(words);
    await expectAccessibleAtWidths(page);
    const sheets = pdfPages(await page.pdf({ format: "A4" }));
    expect(sheets).toHaveLength(1);
    for (const words of ["Invoice", reference, "90.00"]) expect(sheets[0]).toContain(words);
    const named = new RegExp(`Order ?${await numberOf(admin, id)}(?!\\d)`, "g");
    expect(sheets[0]?.match(named), "The order is named once on a single page").toHaveLength(1);

    await dataOf(
      admin.client.rpc("record_payment", {
        _payment_id: crypto.randomUUID(),
        _order_id: id,
        _kind: "payment",
        _method: "cash",
        _amount: 90,
        _paid_on: new Date().toISOString().slice(0, 10),
      }),
    );
    await page.reload();
    await expect(page.getByRole("article", { name: "Receipt" })).toContainText("DueGH₵0.00");
    await page.getByRole("link", { name: "Delivery note" }).click();
    const delivery = page.getByRole("article", { name: "Delivery note" });
    await expect(delivery).toContainText(remaining.title);
    await expect(delivery).not.toContainText("GH₵");
    const notes = pdfPages(await page.pdf({ format: "A4" }));
    expect(notes).toHaveLength(1);
    expect(notes[0]?.match(named)).toHaveLength(1);
    expect(notes[0]).toContain("Delivery note");
    expect(notes[0]).not.toMatch(/GH|₵/);
    await page.getByRole("link", { name: "Back to the order" }).click();
    await expect(steps).toHaveCount(3);
    await expect(steps.last()).toContainText("Paid in full");
  });

  test("leads to its books, and to a review once it is delivered", async ({ page, admin, member }) => {
    await page.setViewportSize({ width: 360, height: 800 });
    const word = newTitle("A").replaceAll(" ", "-").padEnd(180, "x");
    const book = await addBook(admin.client, { title: word, price: 50 });
    const id = await placeOrder(member, book, 1, { recipient_name: word, shipping_address: word });
    await page.goto(`/order-confirmation/${id}`);
    const items = page.getByRole("list", { name: "Books ordered" });
    await expect(items.getByRole("link", { name: word, exact: true })).toBeVisible();
    await expect(items.getByRole("link", { name: /Write a Review/ })).toHaveCount(0);
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
    await dataOf(admin.client.from("orders").update({ status: "delivered" }).eq("id", id).select("id"));
    await page.reload();
    await items.getByRole("link", { name: `Write a Review of ${word}` }).click();
    await expect(page).toHaveURL(/\/books\/.*#reviews$/);
    await expect(page.getByRole("button", { name: "Write a Review" })).toBeVisible();
  });

  test("an order's page shows its total once and puts the action for its status first", async ({
    page,
    admin,
    member,
  }) => {
    const first = await addBook(admin.client, { price: 40 });
    await member.client.rpc("add_to_cart", { _book_id: first.id, _quantity: 2 });
    const id = await placeOrder(member, await addBook(admin.client, { price: 10 }), 1, {
      total_amount: 90,
    } as object);
    const main = page.getByRole("main");
    const note = main.getByRole("link", { name: "Delivery note" });
    const isGreen = (name: string) =>
      main
        .getByRole("button", { name, exact: true })
        .or(main.getByRole("link", { name, exact: true }))
        .evaluate((button) => getComputedStyle(button).backgroundColor === "rgb(20, 80, 58)");
    for (const [status, hasNote, strongest] of [
      ["pending", false, null],
      ["processing", true, null],
      ["delivered", true, "Order again"],
      ["cancelled", false, "Order again"],
    ] as const) {
      await dataOf(admin.client.from("orders").update({ status }).eq("id", id).select("id"));
      await page.goto(`/order-confirmation/${id}`);
      await expect(main.getByText("GH₵90.00").filter({ visible: true })).toHaveCount(1);
      await expect(note).toHaveCount(hasNote ? 1 : 0);
      for (const name of ["Order again", "Continue Shopping", "My Orders"])
        expect([status, name, await isGreen(name)]).toEqual([status, name, name === strongest]);
      await page.goto(`/orders/${id}/receipt`);
      await expect(main.getByRole("link", { name: "Back to the order" })).toBeVisible();
      await expect(note).toHaveCount(hasNote ? 1 : 0);
    }
  });

  test("is named on each page of its documents", async ({ page, admin, member }) => {
    const books = Array.from({ length: 40 }, () => ({
      title: newTitle("Line"),
      publisher: "Collins",
      price: 10,
      stock_quantity: 5,
    }));
    const added = await dataOf(admin.client.from("books").insert(books).select("id, price"));
    const [first, ...others] = added;
    if (!first) throw new Error("No book was added");
    for (const { id } of others) await member.client.rpc("add_to_cart", { _book_id: id, _quantity: 1 });
    const id = await placeOrder(member, first, 1, { total_amount: 400 } as object);
    const { number } = await dataOf(admin.client.from("orders").select("number").eq("id", id).single());
    for (const query of ["", "?paper=delivery-note"]) {
      await page.goto(`/orders/${id}/receipt${query}`);
      await expect(page.getByRole("article")).toBeVisible();
      const sheets = pdfPages(await page.pdf({ format: "A4" }));
      expect(sheets.length).toBeGreaterThan(1);
      for (const sheet of sheets) expect(sheet).toContain(`Order ${number}`);
      expect(await printedHeaderOffset(page), query).toBe(0);
    }
  });

  test("has no invoice once it is cancelled, and no documents for anybody else", async ({
    page,
    admin,
    member,
    newMember,
    browser,
    baseURL,
    signIn,
  }) => {
    const id = await placeOrder(member, await addBook(admin.client, { price: 50 }));
    await dataOf(member.client.from("orders").update({ status: "cancelled" }).eq("id", id).select("id"));
    await page.goto(`/orders/${id}/receipt`);
    await expect(page.getByText("This order was cancelled, so it has no invoice.")).toBeVisible();
    const invoiced = await placeOrder(member, await addBook(admin.client, { price: 50 }));
    await dataOf(member.client.rpc("issue_invoice", { _order_id: invoiced }));
    await dataOf(
      member.client.from("orders").update({ status: "cancelled" }).eq("id", invoiced).select("id"),
    );
    await page.goto(`/orders/${invoiced}/receipt`);
    await expect(page.getByRole("article", { name: "Invoice" })).toContainText("StatusCancelled");
    const stranger = await otherBrowser(browser, signIn, await newMember());
    await stranger.goto(`${baseURL}/orders/${id}/receipt`);
    await expect(stranger.getByRole("heading", { name: "Order Not Found" })).toBeVisible();
  });
});
