import { addBook, dataOf, placeOrder } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { pdfPages } from "#tests/support/pdf-text.ts";
import { expect, expectAccessibleAtWidths, test } from "#tests/support/test.ts";
import { numberOf, openAdmin, shortId } from "./back-office.ts";

test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

test("several orders get documents and one status, and those that cannot change say why", async ({
  page,
  admin,
  newMember,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  const buyer = await newMember();
  const book = await addBook(admin.client, { price: 10 });
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) ids.push(await placeOrder(buyer, book, 1));
  const cancelled = ids[1] ?? "";
  await openAdmin(page, `/admin/orders?q=${buyer.email}`, "Order Management");
  const rows = page.getByRole("table", { name: "Orders" }).getByRole("row");
  await expect(rows.filter({ hasText: "pending" })).toHaveCount(3);
  await page.getByRole("button", { name: "Select All 3" }).click();
  const bar = page.getByRole("region", { name: "Selected orders" });
  await expect(bar).toContainText("3 orders selected");
  await expectAccessibleAtWidths(page);

  await bar.getByRole("link", { name: "Packing lists" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Packing list" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Deliver to" })).toHaveCount(3);
  const sheets = pdfPages(await page.pdf({ format: "A4" }));
  expect(sheets).toHaveLength(3);
  for (const sheet of sheets) {
    expect(sheet).toContain("Packed");
    expect(sheet).toContain("Store");
  }
  await page.goBack();
  await expect(bar).toContainText("3 orders selected");
  await bar.getByRole("link", { name: "Pick list" }).click();
  await expect(page.getByText("3 orders, 1 title, 3 copies.")).toBeVisible();
  await expect(
    page.getByRole("table", { name: "Books to pick" }).getByRole("row", { name: book.title }),
  ).toContainText("3");
  await expectAccessibleAtWidths(page);
  expect(pdfPages(await page.pdf({ format: "A4" }))).toHaveLength(1);
  await page.goBack();
  await expect(bar).toContainText("3 orders selected");
  await bar.getByRole("link", { name: "Delivery notes" }).click();
  await expect(page.getByRole("article", { name: "Delivery note" })).toHaveCount(3);
  await expect(page.getByRole("main")).not.toContainText("GH₵");
  const notes = pdfPages(await page.pdf({ format: "A4" }));
  expect(notes).toHaveLength(3);
  for (const note of notes) {
    expect(note).toContain("Delivery note");
    expect(note).not.toMatch(/GH|₵/);
  }
  await page.goBack();
  await expect(bar).toContainText("3 orders selected");
  await bar.getByRole("button", { name: "Clear selection" }).click();
  const first = rows.filter({ hasText: shortId(ids[0] ?? "") }).getByRole("checkbox");
  await first.check();
  await page.reload();
  await expect(first).toBeChecked();
  await expect(bar).toContainText("1 order selected");

  await bar.getByRole("button", { name: "Select All 3" }).click();
  // Meanwhile the customer cancels one of them.
  await dataOf(buyer.client.from("orders").update({ status: "cancelled" }).eq("id", cancelled).select("id"));
  await bar.getByLabel("New status").selectOption("shipped");
  await bar.getByRole("button", { name: "Set Status" }).click();
  const ship = page.getByRole("dialog", { name: "Ship 3 orders" });
  await ship.getByLabel("Carrier").fill("VIP bus");
  await ship.getByLabel("Parcel or bus number").fill("GT 4711-20");
  await ship.getByRole("button", { name: "Mark as Shipped" }).click();
  await expectMessage(page, "2 orders set to shipped");
  const report = page.getByRole("status").filter({ hasText: "did not change" });
  await expect(report).toContainText(
    `Order ${await numberOf(admin, cancelled)}: It is now cancelled. Check it before you change its status.`,
  );
  await expect(rows.filter({ hasText: shortId(cancelled) }).getByRole("checkbox")).toBeChecked();
  await expect(bar).toContainText("1 order selected");
  const orders = await dataOf(admin.client.from("orders").select("status, carrier").in("id", ids));
  expect(orders.map(({ status, carrier }) => `${status} ${carrier}`).sort()).toEqual([
    "cancelled null",
    "shipped VIP bus",
    "shipped VIP bus",
  ]);
  await bar.getByRole("button", { name: "Clear selection" }).click();
  await expect(bar).toHaveCount(0);
});

test("asks before it sets a status of several orders, and leaves cancelled and shipped ones as they are", async ({
  page,
  admin,
  newMember,
}) => {
  const buyer = await newMember();
  const book = await addBook(admin.client, { stock_quantity: 20 });
  const ids: string[] = [];
  for (const status of ["pending", "pending", "cancelled", "shipped"] as const) {
    const id = await placeOrder(buyer, book, 2);
    ids.push(id);
    if (status !== "pending")
      await dataOf(admin.client.from("orders").update({ status }).eq("id", id).select("id"));
  }
  const statuses = async () => {
    const orders = await dataOf(admin.client.from("orders").select("id, status").in("id", ids));
    return ids.map((id) => orders.find((order) => order.id === id)?.status);
  };
  await openAdmin(page, `/admin/orders?q=${buyer.email}`, "Order Management");
  await page.getByRole("button", { name: "Select All 4" }).click();
  const bar = page.getByRole("region", { name: "Selected orders" });
  const set = bar.getByRole("button", { name: "Set Status" });
  await expect(set).toBeDisabled();
  await bar.getByLabel("New status").selectOption("processing");
  await set.click();
  const dialog = page.getByRole("dialog", { name: "Set 4 orders to Processing?" });
  await expect(dialog).toContainText("2 orders will change to processing (now: 2 pending).");
  await expect(dialog).toContainText("2 emails will be sent to customers.");
  await expect(dialog).toContainText("The stock stays as it is.");
  await expectAccessibleAtWidths(page);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(await statuses()).toEqual(["pending", "pending", "cancelled", "shipped"]);

  await set.click();
  await dialog.getByRole("checkbox", { name: "Also reopen 1 cancelled order" }).check();
  await expect(dialog).toContainText("2 copies are taken from stock again.");
  await dialog.getByRole("checkbox", { name: "Also reopen 1 cancelled order" }).uncheck();
  await dialog.getByRole("button", { name: "Set 2 Orders to Processing" }).click();
  await expectMessage(page, "2 orders set to processing");
  expect(await statuses()).toEqual(["processing", "processing", "cancelled", "shipped"]);
  const report = page.getByRole("status").filter({ hasText: "2 orders did not change" });
  await expect(report).toContainText("It is cancelled and was not reopened.");
  await expect(report).toContainText("It is already shipped and was not moved back.");
});

test("orders are found by what was paid, the way of delivery and the region", async ({
  page,
  admin,
  newMember,
}) => {
  const buyer = await newMember();
  const book = await addBook(admin.client, { price: 10 });
  const paid = await placeOrder(buyer, book, 1, { region: "Volta" } as object);
  const due = await placeOrder(buyer, book, 1, { delivery_method: "collect" } as object);
  await dataOf(
    admin.client.rpc("record_payment", {
      _payment_id: crypto.randomUUID(),
      _order_id: paid,
      _kind: "payment",
      _method: "cash",
      _amount: 10,
      _paid_on: new Date().toISOString().slice(0, 10),
    }),
  );
  await openAdmin(page, `/admin/orders?q=${buyer.email}`, "Order Management");
  const rows = page.getByRole("table", { name: "Orders" }).getByRole("row");
  const choose = async (filter: string, value: string, shown: string | null) => {
    await page.getByLabel(`Filter by ${filter}`).selectOption(value);
    const found = rows.filter({ hasText: "…" });
    await expect(found).toHaveCount(shown ? 1 : 0);
    if (shown) await expect(found).toContainText(shortId(shown));
    await page.getByLabel(`Filter by ${filter}`).selectOption("");
    await expect(found).toHaveCount(2);
  };
  await choose("payment", "due", due);
  await choose("payment", "paid", paid);
  await choose("payment", "needs_decision", null);
  await choose("delivery", "collect", due);
  await choose("region", "Volta", paid);
});

test("an order is entered for a caller, and staff add a note that customers never see", async ({
  page,
  admin,
  newMember,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  const caller = await newMember();
  const { error } = await caller.client
    .from("profiles")
    .update({ phone: "0244123456", address: "5 Castle Road", city: "Wa" })
    .eq("id", caller.id);
  expect(error).toBeNull();
  const book = await addBook(admin.client, { price: 20, stock_quantity: 5, publisher: "Adom Books" });
  await openAdmin(page, "/admin/orders", "Order Management");
  await page.getByRole("link", { name: "New order" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "New order" })).toBeVisible();
  await page.getByLabel("Customer's account (optional)").fill(caller.email);
  await page.getByRole("list", { name: "Accounts found" }).getByRole("button").click();
  await expect(page.getByLabel("Full Name")).toHaveValue("Reader of the test");
  await expect(page.getByLabel("Phone")).toHaveValue("+233 24 412 3456");
  await expect(page.getByLabel("Address", { exact: true })).toHaveValue("5 Castle Road");
  await page.getByLabel("Add a book").fill(book.title);
  await page.getByRole("button", { name: `Add ${book.title}` }).click();
  await page.getByLabel(`Quantity of ${book.title}`).fill("3");
  await expect(page.getByText("Total GH₵60.00")).toBeVisible();
  await expect(page.getByRole("list", { name: "Books of the order" })).toContainText(
    "Adom Books, 5 in stock",
  );
  await expectAccessibleAtWidths(page);
  await page.getByLabel("Phone").fill("");
  await page.getByRole("button", { name: "Place order" }).click();
  await expect(page.getByLabel("Phone")).toBeFocused();
  await page.getByLabel("Phone").fill("024 412 3456");
  await page.getByText("Collect at the shop").click();
  await expect(page.getByLabel("Address", { exact: true })).toHaveCount(0);
  await page.getByRole("button", { name: "Place order" }).click();

  const dialog = page.getByRole("dialog", { name: "Order Details" });
  await expect(dialog).toContainText("GH₵60.00");
  await expect(dialog).toContainText("Collect at the shop");
  const orders = await dataOf(
    caller.client
      .from("orders")
      .select("id, total_amount, delivery_method, shipping_address, order_items(quantity)"),
  );
  expect(orders).toMatchObject([
    { total_amount: 60, delivery_method: "collect", shipping_address: null, order_items: [{ quantity: 3 }] },
  ]);

  await dialog.getByLabel("Note for staff").fill("Wants it by Friday");
  await dialog.getByRole("button", { name: "Add note" }).click();
  await expect(dialog.getByRole("listitem").filter({ hasText: "Note: Wants it by Friday" })).toContainText(
    "by Shop admin",
  );
  await expect(dialog.getByLabel("Note for staff")).toHaveValue("");
  const { data: seen } = await caller.client.from("order_notes").select("body");
  expect(seen).toEqual([]);

  await page.goto("/admin/orders/new");
  await expect(page.getByText("How the customer receives the order")).toBeVisible();
  await page.getByLabel("Add a book").fill(book.title);
  await page.getByRole("button", { name: `Add ${book.title}` }).click();
  await page.getByLabel("Full Name").fill("Esi Quaye");
  await page.getByLabel("Phone").fill("024 412 3457");
  await page.getByText("Collect at the shop").click();
  await page.getByLabel("Customer's reference (optional)").fill("PO 12");
  await page.getByRole("button", { name: "Place order" }).click();
  await expect(dialog).toContainText("By phone, without an account");
  await expect(dialog).toContainText("Esi Quaye");
  await expect(dialog).toContainText("Customer's referencePO 12");
  const own = await dataOf(admin.client.from("orders").select("id").eq("user_id", admin.id));
  expect(own).toEqual([]);
});
