import { addBook, dataOf, fillCart, newTitle, placeOrder } from "#tests/support/factories.ts";
import { brokenAmounts } from "#tests/support/layout.ts";
import { expect, test } from "#tests/support/test.ts";

test("documents and lists wrap no amounts or headings", async ({ page, context, admin, member, signIn }) => {
  test.setTimeout(180_000);
  const title = newTitle("Cambridge Lower Secondary Mathematics Complete Revision and Practice");
  const first = await addBook(admin.client, { title, price: 1_840.99, stock_quantity: 200 });
  const second = await addBook(admin.client, { title: newTitle("Abacus"), price: 18.99 });
  await fillCart(member.client, second.id, 2);
  const order = await placeOrder(member, first, 100, { total_amount: 184_136.98 } as object);
  await dataOf(admin.client.from("orders").update({ status: "shipped" }).eq("id", order).select("id"));
  await signIn(context, admin);
  for (const [path, shown] of [
    [`/admin/orders/${order}/invoice`, "GH₵184,099.00"],
    [`/admin/orders/${order}/delivery-note`, title],
    [`/admin/orders/${order}/packing-list`, "GH₵184,136.98"],
    [`/admin/orders?order=${order}`, "GH₵1,840.99"],
    [`/admin/books?q=${encodeURIComponent(title)}`, title],
    ["/admin", "GH₵184,136.98"],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(shown).first(), path).toBeVisible();
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await brokenAmounts(page), `${path}, ${width} px wide`).toEqual([]);
    }
  }
});
