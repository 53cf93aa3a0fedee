import { beforeAll, beforeEach, expect, test } from "vitest";
import { ORDER_STATUSES } from "#app/features/orders/order.ts";
import type { Row } from "#tests/support/database.ts";
import { addBook, addCustomer, addStaff, order } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { type SignedIn, secretKey } from "#tests/support/people.ts";
import { fc } from "#tests/support/properties.ts";

describeDatabase("Emails about an order's status", (open) => {
  let customer: SignedIn;
  let admin: SignedIn;
  /** Of the current test; its other emails have been sent. */
  let id: string;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
  });
  beforeEach(async () => {
    customer = await addCustomer(open());
    id = await newOrder();
  });

  async function newOrder(): Promise<string> {
    const placed = await order(open(), customer, [[await addBook(open()), 1]]);
    await open().query(
      "update public.outgoing_emails set state = 'sent', settled_at = now() where state = 'waiting'",
    );
    return placed;
  }
  const setStatus = (status: string, person = admin) =>
    open().as(person, (query) => query("update public.orders set status = $2 where id = $1", [id, status]));
  const setStatuses = (status: string, shipment: object | null, shown: string) =>
    open().as(admin, (query) =>
      query("select * from public.set_order_statuses(array[$1::uuid], array[$2], $3, $4)", [
        id,
        shown,
        status,
        shipment && JSON.stringify(shipment),
      ]),
    );
  /** What staff see of the order's status emails: "kind status state". */
  const emails = async () => {
    const rows = await open().query(
      `select concat_ws(' ', kind, status, state) as name from public.outgoing_emails
        where order_id = $1 and status is not null order by created_at, kind`,
      [id],
    );
    return rows.map(({ name }) => name);
  };
  const makeDue = () =>
    open().query("update public.outgoing_emails set due_at = now() where order_id = $1 and attempts = 0", [
      id,
    ]);
  type Claimed = Row & { id: string; lease: string; kind: string; status: string };
  const claim = async () => {
    const [row] = await open().as(secretKey, (query) => query("select public.claim_email() as email"));
    return row?.email as Claimed | null;
  };
  const claimAndSend = async () => {
    const claimed = await claim();
    if (claimed)
      await open().as(secretKey, (query) => query("select public.record_sent_email($1)", [claimed.id]));
    return claimed;
  };
  const asStaff = async (sql: string) =>
    open().as(admin, (query) => query(sql, [[id]])) as Promise<Record<string, unknown>[]>;
  const listed = () =>
    asStaff("select * from public.list_waiting_emails() where order_id = any ($1::uuid[])");
  const stop = async () =>
    (
      await asStaff(
        "select public.stop_emails((select array_agg(event) from public.list_waiting_emails() where order_id = any ($1::uuid[]))) as n",
      )
    )[0]?.n;
  const delay = (seconds: number) =>
    open().query(
      "insert into public.shop_settings (id, value) values ('statusEmailSeconds', to_jsonb($1::int)) on conflict (id) do update set value = excluded.value",
      [seconds],
    );

  test("lists a colleague's changes as theirs, so that nobody sets them back with their own", async () => {
    const colleague = await addStaff(open(), "admin");
    await open().as(colleague, (query) =>
      query("update public.orders set status = 'processing' where id = $1", [id]),
    );
    expect(await listed()).toMatchObject([{ status: "processing", is_own: false }]);
    await asStaff("update public.orders set status = 'shipped' where id = any ($1::uuid[])");
    expect(await listed()).toMatchObject([{ status: "shipped", is_own: true }]);
  });

  test("lets an email about a status wait a minute, or as long as the owner's setting says", async () => {
    await setStatus("processing");
    expect(await claim()).toBeNull();
    expect(await listed()).toMatchObject([{ from_status: "pending", status: "processing", emails: 1 }]);
    const [{ seconds } = {}] = await listed();
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(60);
    await makeDue();
    expect(await claimAndSend()).toMatchObject({ kind: "order_status_changed", status: "processing" });

    await delay(0);
    await setStatus("shipped");
    expect(await claimAndSend()).toMatchObject({ kind: "order_status_changed", status: "shipped" });
    await open().query("delete from public.shop_settings where id = 'statusEmailSeconds'");
  });

  test("sends one email after several changes of status, about the last one", async () => {
    for (const status of ["processing", "shipped", "delivered"]) await setStatus(status);
    expect(await emails()).toEqual(["order_status_changed delivered waiting"]);
    // Undo goes back one change.
    expect(await listed()).toMatchObject([{ from_status: "shipped", status: "delivered" }]);
  });

  test("tells the recipient only if the order ends up shipped", async () => {
    await open().query("update public.orders set recipient_email = 'teacher@school.example' where id = $1", [
      id,
    ]);
    await setStatus("shipped");
    expect(await emails()).toEqual([
      "order_status_changed shipped waiting",
      "recipient_order_shipped shipped waiting",
    ]);
    await setStatus("processing");
    expect(await emails()).toEqual(["order_status_changed processing waiting"]);
  });

  test("drops the waiting email when the status is changed back", async () => {
    await setStatus("cancelled");
    await setStatus("shipped");
    await setStatus("pending");
    expect(await emails()).toEqual([]);
    await makeDue();
    expect(await claim()).toBeNull();
  });

  test("keeps an email that a worker has taken, and queues another for the next change", async () => {
    await setStatus("shipped");
    await makeDue();
    const taken = await claim();
    await setStatus("pending");
    expect(await emails()).toEqual([
      "order_status_changed shipped waiting",
      "order_status_changed pending waiting",
    ]);
    await open().as(secretKey, (query) => query("select public.record_sent_email($1)", [taken?.id]));
    expect(await listed()).toMatchObject([{ from_status: "shipped", status: "pending" }]);
  });

  test("stops an email for staff, who can still send it, and says nothing when the status is changed back", async () => {
    await setStatus("shipped");
    expect(await stop()).toBe(1);
    expect(await stop()).toBe(0);
    await makeDue();
    expect(await claim()).toBeNull();
    expect(await emails()).toEqual(["order_status_changed shipped stopped"]);
    await setStatus("pending");
    expect(await emails()).toEqual(["order_status_changed shipped stopped"]);

    await setStatus("shipped");
    expect(await emails()).toContain("order_status_changed shipped waiting");
    await stop();
    const [last] = await open().query(
      "select id from public.outgoing_emails where order_id = $1 and state = 'stopped' order by created_at desc limit 1",
      [id],
    );
    await open().as(admin, (query) => query("select public.resend_email($1)", [last?.id]));
    expect(await claimAndSend()).toMatchObject({ kind: "order_status_changed", status: "shipped" });
  });

  test("tells at once what a customer cancels, and drops what waited", async () => {
    await setStatus("processing");
    await setStatus("cancelled", customer);
    expect((await emails()).sort()).toEqual([
      "order_cancelled cancelled waiting",
      "order_cancelled_by_customer cancelled waiting",
    ]);
    expect([(await claimAndSend())?.kind, (await claimAndSend())?.kind].sort()).toEqual([
      "order_cancelled",
      "order_cancelled_by_customer",
    ]);
  });

  test("says corrected shipping details in the waiting email, and queues another once it is sent", async () => {
    await setStatuses("shipped", { carrier: "STC" }, "pending");
    await setStatuses("shipped", { carrier: "VIP" }, "shipped");
    expect(await emails()).toEqual(["order_status_changed shipped waiting"]);
    await makeDue();
    expect(await claimAndSend()).toMatchObject({ order: { carrier: "VIP" } });
    await setStatuses("shipped", { carrier: "OA" }, "shipped");
    expect(await emails()).toEqual([
      "order_status_changed shipped sent",
      "order_status_changed shipped waiting",
    ]);
  });

  test("goes back to the status before the last change, whatever the customer was last told", async () => {
    await setStatus("cancelled");
    await makeDue();
    await claimAndSend();
    await setStatus("pending");
    await stop();
    await setStatus("processing");
    expect(await listed()).toMatchObject([{ from_status: "pending", status: "processing" }]);
  });

  test("goes back further with each Undo, and never forwards", async () => {
    for (const status of ["processing", "shipped", "delivered"]) await setStatus(status);
    for (const before of ["shipped", "processing", "pending"]) {
      expect(await listed()).toMatchObject([{ from_status: before }]);
      await setStatus(before);
    }
    expect(await listed()).toEqual([]);
    expect(await emails()).toEqual([]);
    // Of a change that the customer knows, Undo goes forwards again.
    await setStatus("processing");
    await makeDue();
    await claimAndSend();
    await setStatus("pending");
    expect(await listed()).toMatchObject([{ from_status: "processing", status: "pending" }]);
  });

  test("goes back by Undo to a status whose email was stopped, without sending it after all", async () => {
    const undo = (shown: string, former: string) =>
      open().as(admin, (query) =>
        query("select * from public.set_back_statuses(array[$1::uuid], array[$2], array[$3])", [
          id,
          shown,
          former,
        ]),
      );
    await setStatus("processing");
    await stop();
    await setStatus("delivered");
    expect(await listed()).toMatchObject([{ from_status: "processing" }]);
    await undo("delivered", "processing");
    expect(await emails()).toEqual(["order_status_changed processing stopped"]);
    // Also where copies are taken again.
    await setStatus("cancelled");
    await undo("cancelled", "processing");
    expect(await emails()).toEqual(["order_status_changed processing stopped"]);
    // What staff choose themselves is told.
    await setStatus("delivered");
    await setStatus("processing");
    expect(await emails()).toContain("order_status_changed processing waiting");
    expect(await listed()).toMatchObject([{ from_status: "pending" }]);
  });

  test("corrects by Undo what a worker was telling the customer meanwhile", async () => {
    await setStatus("processing");
    await stop();
    await setStatus("delivered");
    await makeDue();
    expect(await claim()).toMatchObject({ status: "delivered" });
    await open().as(admin, (query) =>
      query(
        "select * from public.set_back_statuses(array[$1::uuid], array['delivered'], array['processing'])",
        [id],
      ),
    );
    expect(await emails()).toContain("order_status_changed processing waiting");
  });

  test("lists no email that is overdue", async () => {
    await setStatus("processing");
    await makeDue();
    expect(await listed()).toEqual([]);
  });

  test("tells the customer changed shipping details when only the recipient's copy still waits", async () => {
    await open().query("update public.orders set recipient_email = 'another@school.example' where id = $1", [
      id,
    ]);
    await setStatus("shipped");
    await open().query(
      "update public.outgoing_emails set due_at = now() where order_id = $1 and kind = 'order_status_changed'",
      [id],
    );
    await claimAndSend();
    await setStatuses("shipped", { carrier: "VIP" }, "shipped");
    expect(await emails()).toEqual([
      "order_status_changed shipped sent",
      "recipient_order_shipped shipped waiting",
      "order_status_changed shipped waiting",
    ]);
  });

  test("drops an email that could not be sent once another one says a later status", async () => {
    await setStatus("shipped");
    await makeDue();
    const failed = await claim();
    await open().as(secretKey, (query) =>
      query("select public.record_failed_email($1, $2, 'No answer.')", [failed?.id, failed?.lease]),
    );
    await setStatus("pending");
    await open().query("update public.outgoing_emails set due_at = now() where order_id = $1", [id]);
    expect(await claimAndSend()).toMatchObject({ status: "pending" });
    expect(await claimAndSend()).toBeNull();
  });

  test("tells a customer of their own cancellation even if they knew the order as cancelled", async () => {
    await setStatus("cancelled");
    await makeDue();
    await claimAndSend();
    await setStatus("pending");
    await setStatus("cancelled", customer);
    expect(await emails()).toContain("order_cancelled cancelled waiting");
  });

  test("tells each new status once and ends with the last, however changes and emails follow each other", async () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...ORDER_STATUSES) },
      { weight: 2, arbitrary: fc.constant("send" as const) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        customer = await addCustomer(open());
        id = await newOrder();
        let status = "pending";
        const told = ["pending"];
        const sendAll = async () => {
          await makeDue();
          for (let email = await claimAndSend(); email; email = await claimAndSend()) told.push(email.status);
        };
        for (const one of steps) {
          if (one === "send") await sendAll();
          else {
            await setStatus(one);
            status = one;
          }
        }
        await sendAll();
        expect(told.at(-1)).toBe(status);
        expect(told.filter((one, n) => n > 0 && one === told[n - 1])).toEqual([]);
      }),
    );
  });
});
