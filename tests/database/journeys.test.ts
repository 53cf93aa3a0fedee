import { expect, test } from "vitest";
import { describeOnEachEngine } from "#tests/support/engines.ts";
import { findBrokenInvariants } from "#tests/torture/invariants.ts";
import { runJourneys } from "#tests/torture/journeys.ts";

const SEED = 20261120;

describeOnEachEngine("Customers and admins at once", (open) => {
  test("leave the shop in order after 1,000 random steps", async () => {
    const { steps, done } = await runJourneys(open(), { seed: SEED, steps: 1_000 });
    expect(steps).toBeGreaterThanOrEqual(1_000);
    for (const kind of [
      "order",
      "cancel",
      "set a status",
      "delete an order",
      "restore an order",
      "edit stock",
      "restore a book",
    ])
      expect(done[kind], kind).toBeGreaterThan(0);
  });

  test("would not go unnoticed with a stock or a total that does not add up", async () => {
    await open().run("alter table public.books disable trigger record_stock_movement");
    await open().query("update public.books set stock_quantity = stock_quantity + 1");
    await open().query("update public.orders set total_amount = total_amount + 1");
    const broken = (await findBrokenInvariants(open())).join("\n");
    expect(broken).toContain("stock is what the book came with");
    expect(broken).toContain("an order's total is the sum of its items");
  });
});
