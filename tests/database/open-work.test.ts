import { beforeAll, beforeEach, expect, test } from "vitest";
import { addBook, addCustomer, addStaff, order } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { callAsServer, openOnline, settleOnline } from "#tests/support/payments.ts";
import { type SignedIn, secretKey } from "#tests/support/people.ts";

describeDatabase("What somebody has to look at", (open) => {
  let admin: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
  });
  beforeEach(async () => {
    await open().query("delete from public.outgoing_emails");
    await open().query("delete from public.payments");
  });
  const count = async () => {
    const [row] = await open().as(secretKey, (query) =>
      query(`select emails_waiting::int, email_waits::float8, emails_unsent::int, payments_to_decide::int
               from public.count_open_work()`),
    );
    return row;
  };

  test("counts nothing where nothing waits", async () => {
    expect(await count()).toEqual({
      emails_waiting: 0,
      email_waits: 0,
      emails_unsent: 0,
      payments_to_decide: 0,
    });
  });

  test("counts waiting emails with the age of the oldest, and those given up until they are sent again", async () => {
    const customer = await addCustomer(open());
    await order(open(), customer, [[await addBook(open(), {}), 1]]);
    const [{ n: waiting = 0 } = {}] = await open().query<{ n: number }>(
      "select count(*)::int as n from public.outgoing_emails",
    );
    expect(waiting).toBeGreaterThan(0);
    await open().query(
      "update public.outgoing_emails set created_at = now() - interval '2 hours' where id = (select min(id::text)::uuid from public.outgoing_emails)",
    );
    const before = await count();
    expect(before).toMatchObject({ emails_waiting: waiting, emails_unsent: 0 });
    expect(before?.email_waits).toBeGreaterThan(7_190);
    const claimed = await callAsServer<{ id: string; lease: string }>(open(), "claim_email()");
    await callAsServer(open(), "record_failed_email($1, $2, 'No answer.', true)", claimed.id, claimed.lease);
    expect(await count()).toMatchObject({ emails_waiting: waiting - 1, emails_unsent: 1 });
    await open().as(admin, (query) => query("select public.resend_unsent_emails()"));
    await open().query(
      "update public.outgoing_emails set state = 'sent', settled_at = now() where state = 'waiting'",
    );
    expect(await count()).toMatchObject({ emails_waiting: 0, email_waits: 0, emails_unsent: 0 });
  });

  test("counts payments on which staff have to decide", async () => {
    const customer = await addCustomer(open());
    const id = await order(open(), customer, [[await addBook(open(), { price: 50 }), 1]]);
    const { reference } = await openOnline(open(), id);
    await settleOnline(open(), reference, { amount: 49 });
    expect(await count()).toMatchObject({ payments_to_decide: 1 });
  });
});
