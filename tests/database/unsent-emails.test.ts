import { beforeAll, beforeEach, expect, test } from "vitest";
import type { Row } from "#tests/support/database.ts";
import { addBook, addCustomer, addStaff, order } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { addEvent, register } from "#tests/support/events.ts";
import { callAsServer } from "#tests/support/payments.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";
import { changeQuote, requestQuoteFor, sendQuote } from "#tests/support/quotes.ts";

/** The buffers that EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) counts. */
type Explained = { "QUERY PLAN": [{ Plan: { "Shared Hit Blocks": number; "Shared Read Blocks": number } }] };

describeDatabase("Emails that were not sent", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
  });
  beforeEach(async () => {
    customer = await addCustomer(open());
    await open().query("delete from public.outgoing_emails");
  });

  type Claimed = Row & { id: string; lease: string; kind: string };
  const claim = () => callAsServer<Claimed | null>(open(), "claim_email()");
  const fail = ({ id, lease }: Claimed, final: boolean) =>
    callAsServer(open(), "record_failed_email($1, $2, 'No answer.', $3)", id, lease, final);
  const giveUpAll = async () => {
    for (let email = await claim(); email; email = await claim()) await fail(email, true);
  };
  /** What staff see, as "kind state subject". */
  const listed = async () => {
    const rows = await open().as(admin, (query) => query("select * from public.admin_list_unsent_emails()"));
    return rows
      .map(({ kind, state, order_number, quote_reference }) =>
        [kind, state, order_number && "order", quote_reference].filter(Boolean).join(" "),
      )
      .sort();
  };
  test("say which consultation or event they are about, also when they are sent again", async () => {
    const [consultation] = await open().query<{ id: string }>(
      "insert into public.consultations (name, email, about) values ('Ama', 'ama@school.example', 'Phonics') returning id",
    );
    await open().query("select private.queue_email('consultation_received', $1, null)", [consultation?.id]);
    const { id, slug } = await addEvent(open(), admin, { title: "Phonics" });
    await register(open(), slug, { email: "ama@school.example" });
    await open().run(
      "insert into public.event_subscribers (email, confirmed_at) values ('news@school.example', now())",
    );
    await open().query("select private.queue_event_announcement($1)", [id]);
    await giveUpAll();
    const about = async () =>
      (await open().as(admin, (query) => query("select * from public.admin_list_unsent_emails()")))
        .map(({ kind, consultation_id, event_id, event_title }) => ({
          kind,
          about: consultation_id ?? event_id,
          event_title,
        }))
        .sort((one, other) => String(one.kind).localeCompare(String(other.kind)));
    const all = [
      { kind: "consultation_received", about: consultation?.id, event_title: null },
      { kind: "event_published", about: id, event_title: "Phonics" },
      { kind: "event_registered", about: id, event_title: "Phonics" },
    ];
    expect(await about()).toEqual(all);
    await open().as(admin, (query) => query("select public.resend_unsent_emails()"));
    expect(await about()).toEqual(all);
  });

  const resend = (kind: string) =>
    open().as(admin, (query) =>
      query(
        "select public.resend_email(id) from public.outgoing_emails where kind = $1 order by created_at desc limit 1",
        [kind],
      ),
    );
  const newOrder = async (stock = 100) => order(open(), customer, [[await addBook(open(), { stock }), 1]]);
  const setAge = (age: string) =>
    open().query(
      "update public.outgoing_emails set created_at = now() - $1::interval, due_at = now() - $1::interval",
      [age],
    );
  const state = async () => {
    const rows = await open().query(
      "select distinct concat_ws(': ', state, reason) as state from public.outgoing_emails",
    );
    return rows.map((row) => row.state);
  };

  test("are shown to staff whatever they are about, and again when sending them again failed too", async () => {
    await newOrder(10);
    await open().query("select private.queue_low_stock_email('2031-01-01T12:00:00Z')");
    await giveUpAll();
    expect(await listed()).toEqual([
      "low_stock given_up",
      "new_order given_up order",
      "order_placed given_up order",
    ]);
    await resend("low_stock");
    expect(await listed()).toEqual([
      "low_stock waiting",
      "new_order given_up order",
      "order_placed given_up order",
    ]);
    const again = await claim();
    expect(again?.kind).toBe("low_stock");
    await fail(again as Claimed, false);
    expect(await listed()).toContain("low_stock waiting");
    await open().query("update public.outgoing_emails set due_at = now() where state = 'waiting'");
    await giveUpAll();
    expect(await listed()).toContain("low_stock given_up");
    await resend("low_stock");
    await callAsServer(open(), "record_sent_email($1)", (await claim())?.id);
    expect(await listed()).toEqual(["new_order given_up order", "order_placed given_up order"]);
  });

  test("emails about stock that has come in are no longer shown, nor sent again", async () => {
    await newOrder(10);
    await open().query("select private.queue_low_stock_email('2031-01-01T12:00:00Z')");
    await giveUpAll();
    await open().query("update public.books set stock_quantity = 50");
    expect(await listed()).not.toContain("low_stock given_up");
    expect((await refusalOf(resend("low_stock"))).detail).toMatchObject({ code: "nothing_to_say" });
  });

  test("emails about a quote name it, until the quote changes", async () => {
    const book = await addBook(open());
    const id = await requestQuoteFor(open(), customer, [[book, 3]]);
    await giveUpAll();
    expect(await listed()).toEqual(["quote_requested given_up"]);
    await changeQuote(open(), admin, id, [[book, 3, 45]], {});
    const reference = await sendQuote(open(), admin, id);
    await giveUpAll();
    expect(await listed()).toEqual([`quote_sent given_up ${reference}`]);
    await resend("quote_sent");
    expect(await listed()).toEqual([`quote_sent waiting ${reference}`]);
    await giveUpAll();
    expect(await listed()).toEqual([`quote_sent given_up ${reference}`]);
    await changeQuote(open(), admin, id, [[book, 3, 40]], {});
    expect(await listed()).toEqual([]);
    expect((await refusalOf(resend("quote_sent"))).detail).toMatchObject({ code: "nothing_to_say" });
  });

  test("unsent emails are counted and listed in pages, however many there are", {
    tags: "long",
  }, async () => {
    const id = await newOrder();
    await open().query(
      `insert into public.outgoing_emails (kind, event, order_id, state, created_at, due_at, settled_at)
       select 'order_status_changed', n::text, $1::uuid, 'given_up', now(), now(), now() - n * interval '1 second' from generate_series(1, 4940) n`,
      [id],
    );
    const read = <Result extends Row>(sql: string) => open().as(admin, (query) => query<Result>(sql));
    expect(await read("select public.admin_count_unsent_emails()::int as total")).toEqual([{ total: 4940 }]);
    expect(await read("select * from public.admin_list_unsent_emails()")).toHaveLength(50);
    const pages = await Promise.all(
      [1, 2, 3, 4, 5].map((page) =>
        read<{ id: string; settled_at: Date }>(
          `select * from public.admin_list_unsent_emails(${page}, 1000)`,
        ),
      ),
    );
    expect(pages.map((page) => page.length)).toEqual([1000, 1000, 1000, 1000, 940]);
    const [explained] = await read<Explained>(
      "explain (analyze, buffers, format json) select * from public.admin_list_unsent_emails(5, 1000)",
    );
    const plan = (explained as Explained)["QUERY PLAN"][0].Plan;
    // A few buffers per email, on any page.
    expect(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]).toBeLessThan(100_000);
    const all = pages.flat();
    expect(new Set(all.map((email) => email.id)).size).toBe(4940);
    const times = all.map(({ settled_at }) => settled_at.getTime());
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    await resend("order_status_changed");
    expect(await read("select public.admin_count_unsent_emails()::int as total")).toEqual([{ total: 4940 }]);
  });

  test("all are resent at once, each only once however many admins click", async () => {
    await newOrder();
    await newOrder();
    await giveUpAll();
    await resend("new_order");
    const resendAll = () =>
      open().as(admin, (query) => query<{ n: number }>("select public.resend_unsent_emails()::int as n"));
    const resent = await Promise.all([resendAll(), resendAll(), resendAll()]);
    expect(
      resent
        .flat()
        .map(({ n }) => n)
        .sort(),
    ).toEqual([0, 0, 3]);
    expect(await listed()).toEqual([
      "new_order waiting order",
      "new_order waiting order",
      "order_placed waiting order",
      "order_placed waiting order",
    ]);
    await giveUpAll();
    expect((await resendAll())[0]?.n).toBe(4);
    expect(
      (
        await open().query("select count(*)::int as n from public.outgoing_emails where state = 'waiting'")
      )[0],
    ).toEqual({
      n: 4,
    });
  });

  test("because the shop was off for a day are sent when it is back, and given up only after five failed attempts: its connection may come back later", async () => {
    await newOrder();
    for (let tries = 1; tries <= 5; tries += 1) {
      await setAge("26 hours");
      const [first, second] = [await claim(), await claim()];
      expect([first?.kind, second?.kind].sort()).toEqual(["new_order", "order_placed"]);
      for (const email of [first, second]) await fail(email as Claimed, false);
      if (tries < 5) expect(await state()).toEqual(["waiting: No answer."]);
    }
    expect(await state()).toEqual(["given_up: It could not be sent within a day. No answer."]);
  });

  test("emails older than three days are given up without an attempt, because they would come too late", async () => {
    await newOrder();
    await setAge("73 hours");
    expect(await claim()).toBeNull();
    expect(await state()).toEqual(["given_up: It could not be sent within three days."]);
  });

  test("thousands of old unsent emails don't delay a new one", async () => {
    const id = await newOrder();
    await open().query(
      `insert into public.outgoing_emails (kind, event, order_id, created_at, due_at)
       select 'order_placed', n::text, $1::uuid, now() - interval '30 days', now() - interval '30 days' from generate_series(1, 10000) n`,
      [id],
    );
    const outdated = async () => {
      const [row] = await open().query<{ n: number }>(
        "select count(*)::int as n from public.outgoing_emails where state = 'given_up'",
      );
      return row?.n;
    };
    const claimed = await claim();
    expect(claimed?.order).toMatchObject({ id });
    expect(await outdated(), "in one statement").toBe(5000);
    await claim();
    expect(await claim()).toBeNull();
    const [left] = await open().query(
      "select count(*) from public.outgoing_emails where state = 'waiting' and lease is null",
    );
    expect(left).toEqual({ count: 0 });
  });

  test("because a clock was ahead when their pause was written do not wait until that time", async () => {
    await newOrder();
    await open().query("update public.outgoing_emails set due_at = now() + interval '20 years'");
    expect((await claim())?.order).toBeTruthy();
  });
});
