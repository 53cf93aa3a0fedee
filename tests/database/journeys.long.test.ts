import { expect, test } from "vitest";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { findBrokenInvariants } from "#tests/torture/invariants.ts";
import { runJourneys } from "#tests/torture/journeys.ts";

/** Each with people and books of its own. */
const WORLDS = 10;
const STEPS = 2_000;
const LIMIT_MS = 1_800_000;

describeDatabase("Concurrent customers and admins", (open) => {
  test(
    "leave the shop consistent after 20,000 random steps or more",
    async () => {
      const seed = Number(process.env.TEST_SEED);
      const kinds = [
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
        "add licence codes",
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
        "send emails",
        "send an email again",
        "have a pause of an email end",
      ];
      const { steps, done } = await runJourneys(open(), { seed, steps: STEPS, kinds });
      expect(steps).toBeGreaterThanOrEqual(STEPS);
      for (const kind of kinds) expect(done[kind] ?? 0, kind).toBeGreaterThan(0);
      for (let world = 1; world < WORLDS; world += 1)
        expect(
          (await runJourneys(open(), { seed: seed + world, steps: STEPS })).steps,
        ).toBeGreaterThanOrEqual(STEPS);
    },
    LIMIT_MS,
  );

  test("are caught if a stock or a total does not add up", async () => {
    await open().run("alter table public.books disable trigger record_stock_movement");
    await open().query("update public.books set stock_quantity = stock_quantity + 1");
    await open().query("update public.orders set total_amount = total_amount + 1");
    const broken = (await findBrokenInvariants(open())).join("\n");
    expect(broken).toContain("stock is the book's initial stock plus the sum of its movements");
    expect(broken).toContain("an order's total is the sum of its items");
  });

  test.each([
    [
      "each order has one email to its customer and one to the shop",
      "delete from public.outgoing_emails where kind = 'new_order' and event is not null",
    ],
    [
      "each change of an order's status has its emails, once",
      "delete from public.outgoing_emails where kind = 'order_status_changed' and event is not null",
    ],
    [
      "each quote that waits for the shop or for its customer has one email",
      "delete from public.outgoing_emails where kind in ('quote_sent', 'quote_requested')",
    ],
    [
      "an email that waits comes up again, within half an hour",
      "update public.outgoing_emails set state = 'waiting', settled_at = null, due_at = now() + interval '1 hour' where kind = 'order_placed'",
    ],
    [
      "nobody holds an email that is sent or given up",
      "update public.outgoing_emails set lease = gen_random_uuid() where state = 'sent'",
    ],
    [
      "an email is given up for a reason",
      "update public.outgoing_emails set state = 'given_up', settled_at = now(), reason = null where kind = 'order_placed'",
    ],
    [
      "an email that is sent again says what the first one did",
      "update public.outgoing_emails set resend_of = gen_random_uuid() where event is null",
    ],
    [
      "no email is sent twice unless its worker died before it could say so",
      "insert into torture.accepted_emails select email_id, false from torture.accepted_emails where not worker_died",
    ],
    ["each email that is sent was accepted", "delete from torture.accepted_emails"],
  ])("are caught if it does not hold that %s", async (name, fault) => {
    let broken: string[] = [];
    const undone = new Error("undone");
    const trying = open().transaction(async (query) => {
      await query(fault);
      broken = await findBrokenInvariants({ query });
      throw undone;
    });
    await expect(trying).rejects.toBe(undone);
    expect(broken.join("\n")).toContain(name);
  });
});
