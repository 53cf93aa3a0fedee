import { expect, test } from "vitest";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { findBrokenInvariants } from "#tests/torture/invariants.ts";
import { runJourneys } from "#tests/torture/journeys.ts";

const SEED = 20261120;

describeDatabase("Concurrent customers and admins", (open) => {
  test("leave the shop consistent after 1,000 random steps", async () => {
    const { steps, done } = await runJourneys(open(), { seed: SEED, steps: 1_000 });
    expect(steps).toBeGreaterThanOrEqual(1_000);
    for (const kind of [
      "order",
      "cancel",
      "set a status",
      "set the status of several orders",
      "enter an order from the phone",
      "order again",
      "open an invoice",
      "delete an order",
      "restore an order",
      "edit stock",
      "restore a book",
      "request a quote",
      "change a quote",
      "send a quote",
      "accept a quote",
      "add a booklist to the cart",
      "order in bulk",
      "save a booklist",
      "publish or withdraw a booklist",
      "import booklists",
      "pay online",
      "pay an old page",
      "record a payment",
      "refund a payment",
    ])
      expect(done[kind], kind).toBeGreaterThan(0);
  });

  test("are caught if a stock or a total does not add up", async () => {
    await open().run("alter table public.books disable trigger record_stock_movement");
    await open().query("update public.books set stock_quantity = stock_quantity + 1");
    await open().query("update public.orders set total_amount = total_amount + 1");
    const broken = (await findBrokenInvariants(open())).join("\n");
    expect(broken).toContain("stock is the book's initial stock plus the sum of its movements");
    expect(broken).toContain("an order's total is the sum of its items");
  });
});
