import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import {
  addBook,
  addCustomer,
  addStaff,
  fillCart,
  placeOrder,
  sendStatusEmailsAtOnce,
} from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { callAsServer, openOnline } from "#tests/support/payments.ts";
import { type SignedIn, secretKey } from "#tests/support/people.ts";

type Claimed = {
  id: string;
  kind: string;
  order: { id: string; email: string; recipient_email: string | null };
};

describeDatabase("Emails to the recipient of someone else's order", (open) => {
  let admin: SignedIn;
  /** A new customer for each test. */
  let customer: SignedIn;
  let recipient: string;
  beforeAll(async () => {
    await sendStatusEmailsAtOnce(open());
    admin = await addStaff(open(), "admin");
  });
  beforeEach(async () => {
    customer = await addCustomer(open());
    recipient = `${randomUUID()}@stranger.example`;
    await settleAll();
  });

  const emailOf = ({ id }: SignedIn) => `${id}@shop.test`;
  const orderFor = async (email: string | null, by = customer) => {
    await fillCart(open(), by, [[await addBook(open(), { price: 20 }), 1]]);
    return (await placeOrder(open(), by, { total: 20, recipient_email: email })).id;
  };
  const setStatus = (person: SignedIn, id: string, status: string) =>
    open().as(person, (query) => query("update public.orders set status = $2 where id = $1", [id, status]));
  /** Leaves nothing to send, and nothing that counts today. */
  const settleAll = () =>
    open().query("update public.outgoing_emails set state = 'sent', settled_at = now() - interval '2 days'");
  const claim = () =>
    open().as(secretKey, async (query) => {
      const [row] = await query<{ email: Claimed | null }>("select public.claim_email() as email");
      return row?.email ?? null;
    });
  /** Sends what is waiting; returns each email with its recipient. */
  const sendAll = async () => {
    const sent: string[] = [];
    for (let email = await claim(); email; email = await claim()) {
      const { kind, order } = email;
      await open().as(secretKey, (query) => query("select public.record_sent_email($1)", [email?.id]));
      if (kind !== "new_order" && kind !== "order_cancelled_by_customer")
        sent.push(`${kind} ${kind.startsWith("recipient") ? order.recipient_email : order.email}`);
    }
    return sent.sort();
  };

  test("order emails go to the account, and two short copies to another recipient", async () => {
    const id = await orderFor(recipient);
    expect(await sendAll()).toEqual([
      `order_placed ${emailOf(customer)}`,
      `recipient_order_placed ${recipient}`,
    ]);
    await setStatus(admin, id, "processing");
    await setStatus(admin, id, "shipped");
    expect(await sendAll()).toEqual([
      `order_status_changed ${emailOf(customer)}`,
      `order_status_changed ${emailOf(customer)}`,
      `recipient_order_shipped ${recipient}`,
    ]);
    const { email } = await openOnline(open(), id);
    expect(email).toBe(emailOf(customer));
  });

  test("no copies are sent if the recipient is the account itself or has no address", async () => {
    for (const own of [emailOf(customer), emailOf(customer).toUpperCase(), null]) {
      const id = await orderFor(own);
      await setStatus(admin, id, "shipped");
      expect(await sendAll()).toEqual([
        `order_placed ${emailOf(customer)}`,
        `order_status_changed ${emailOf(customer)}`,
      ]);
    }
  });

  test("one address gets at most two copies a day, whoever orders", { tags: "long" }, async () => {
    const copies = async () => {
      for (const by of [customer, await addCustomer(open())])
        for (let n = 0; n < 20; n += 1)
          await setStatus(by, await orderFor(n % 2 ? recipient : recipient.toUpperCase(), by), "cancelled");
      return (await sendAll()).filter((email) => email.toLowerCase().endsWith(recipient));
    };
    expect(await copies()).toHaveLength(2);
    await open().query(
      `update public.outgoing_emails set settled_at = settled_at - interval '1 day', created_at = created_at - interval '1 day';
       update public.orders set created_at = created_at - interval '2 hours'`,
    );
    customer = await addCustomer(open());
    expect(await copies()).toHaveLength(2);
  });

  test("closing an account and opening another allows no more copies to the same address", async () => {
    const sent: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const by = await addCustomer(open());
      for (let m = 0; m < 2; m += 1) await setStatus(by, await orderFor(recipient, by), "cancelled");
      sent.push(...(await sendAll()).filter((email) => email.startsWith("recipient_")));
      await open().as(secretKey, (query) => query("select public.anonymise_customer($1)", [by.id]));
    }
    expect(sent).toHaveLength(2);
    await open().query(
      `update public.outgoing_emails set settled_at = settled_at - interval '1 day', created_at = created_at - interval '1 day'`,
    );
    await orderFor(`next-${recipient}`);
    await sendAll();
    const stored = await open().query(
      "select count(*)::int as rows from public.outgoing_emails where mailbox is not null",
    );
    expect(stored).toEqual([{ rows: 1 }]);
  });

  test("no copies are sent to an address with characters that have several spellings", async () => {
    for (const domain of ["\uff45xample.org", "ex\u{1d41a}mple.org", "ex\ufe0fample.org"])
      await orderFor(`${customer.id}@${domain}`);
    expect((await sendAll()).filter((email) => email.startsWith("recipient_"))).toEqual([]);
  });

  test("one account's orders send at most ten copies a day, whatever the addresses", async () => {
    for (let n = 0; n < 20; n += 1) await orderFor(`${n}-${recipient}`);
    const sent = await sendAll();
    expect(sent.filter((email) => email.startsWith("recipient_"))).toHaveLength(10);
    expect(sent.filter((email) => email.startsWith("order_placed"))).toHaveLength(20);
  });

  test("all new customers' orders send at most 200 copies a day, besides their own emails and an earlier customer's copies", {
    tags: "long",
  }, async () => {
    const [book] = [await addBook(open(), { price: 20, stock: 1_000 })];
    const orderElsewhere = async (by: SignedIn, to: string) => {
      await fillCart(open(), by, [[book, 1]]);
      return (await placeOrder(open(), by, { total: 20, recipient_email: to })).id;
    };
    const placed: string[] = [];
    for (let account = 0; account < 21; account += 1) {
      const by = await addCustomer(open());
      for (let n = 0; n < 10; n += 1) placed.push(await orderElsewhere(by, `${account}-${n}-${recipient}`));
    }
    const sent = await sendAll();
    expect(sent.filter((email) => email.startsWith("recipient_"))).toHaveLength(200);
    expect(sent.filter((email) => email.startsWith("order_placed"))).toHaveLength(210);

    // What staff have shipped isn't a stranger's idea any more.
    await setStatus(admin, placed.at(-1) ?? "", "shipped");
    expect((await sendAll()).filter((email) => email.startsWith("recipient_"))).toHaveLength(1);
    await setStatus(admin, await orderElsewhere(customer, `own-${recipient}`), "delivered");
    await sendAll();
    await orderElsewhere(customer, recipient);
    expect(await sendAll()).toEqual([
      `order_placed ${emailOf(customer)}`,
      `recipient_order_placed ${recipient}`,
    ]);
    // Deleting the accounts makes no room for others.
    await open().query("update public.orders set user_id = null where id = any ($1::uuid[])", [placed]);
    await orderElsewhere(await addCustomer(open()), `new-${recipient}`);
    expect((await sendAll()).filter((email) => email.startsWith("recipient_"))).toEqual([]);
  });

  test("the limits of copies hold when many workers claim emails at once", async () => {
    for (let n = 0; n < 10; n += 1) await orderFor(recipient);
    const claimed = await Promise.all(Array.from({ length: 30 }, claim));
    expect(claimed.filter((email) => email?.kind === "recipient_order_placed")).toHaveLength(2);
  });

  test("staff can resend a copy above the limit", async () => {
    const id = await orderFor(recipient);
    for (let n = 0; n < 2; n += 1) await orderFor(recipient);
    await sendAll();
    await open().as(admin, (query) =>
      query(
        "select public.resend_email(id) from public.outgoing_emails where order_id = $1 and kind = 'recipient_order_placed'",
        [id],
      ),
    );
    expect(await sendAll()).toEqual([`recipient_order_placed ${recipient}`]);
  });

  test("a caller without an account gets the full emails and no copies", async () => {
    const book = await addBook(open(), { price: 20 });
    const order = {
      shipping_address: "5 Castle Road",
      recipient_name: "A caller",
      recipient_email: recipient,
      recipient_phone: "+233201234567",
    };
    await open().as(admin, (query) =>
      query(
        "select public.place_order_for(gen_random_uuid(), null, array[$1]::uuid[], array[1], 20, $2::jsonb)",
        [book.id, order],
      ),
    );
    expect(await sendAll()).toEqual([`order_placed ${recipient}`]);
  });

  test("the recipient doesn't get the emails of an account that has lost its address", async () => {
    await open().query("update public.profiles set email = null where id = $1", [customer.id]);
    await orderFor(recipient);
    expect(await sendAll()).toEqual([]);
    expect(await callAsServer(open(), "claim_email()")).toBeNull();
  });
});
