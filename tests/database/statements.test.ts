import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { expectSerial, type Request } from "#tests/support/at-once.ts";
import { countDuring } from "#tests/support/count-during.ts";
import type { Row } from "#tests/support/database.ts";
import {
  addBook,
  addCustomer,
  addStaff,
  fillCart,
  placeOrder,
  type TestBook,
} from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { paymentsOf, summaryOf } from "#tests/support/payments.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";

type Line = {
  amount?: number;
  day?: string;
  reference?: string;
  name?: string;
  phone?: string;
  narration?: string;
};
type Found = {
  line: number;
  outcome: string;
  reason: string | null;
  doubt: string | null;
  about_line: number | null;
  about_order: number | null;
  matches: number;
  orders: { id: string; number: number; due: number }[];
};
type Placed = { id: string; number: number; due: number; by: SignedIn };

const matchSql = "select * from public.match_statement($1, $2)";
const recordSql = "select public.record_statement($1, $2, $3) as n";

describeDatabase("Statements", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  let book: TestBook;
  let dues = 0;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
  });
  beforeEach(async () => {
    customer = await addCustomer(open(), { full_name: "Akosua Boateng" });
    await open().query("update public.profiles set phone = '020 111 2233' where id = $1", [customer.id]);
    // An amount that no other test uses.
    dues += 1;
    book = await addBook(open(), { price: 100 + 10 * dues, stock: 99 });
  });

  async function place(texts: Row = {}, { copies = 1, by = customer } = {}): Promise<Placed> {
    await fillCart(open(), by, [[book, copies]]);
    const row = await placeOrder(open(), by, { total: book.price * copies, ...texts });
    return { id: row.id, number: Number(row.number), due: book.price * copies, by };
  }
  const call = (sql: string, ...values: unknown[]) => open().as(admin, (query) => query(sql, values));
  const match = async (lines: Line[], method = "mobile_money") => {
    const sent = lines.map((line) => ({
      amount: book.price,
      day: "2026-11-02",
      reference: randomUUID(),
      ...line,
    }));
    return (await call(matchSql, method, JSON.stringify(sent))) as unknown as Found[];
  };
  const verdict = ({ outcome, reason, doubt, orders }: Found) => [
    outcome,
    reason,
    doubt,
    orders.map(({ number }) => number),
  ];
  const verdictOf = async (line: Line) => {
    const [found] = await match([line]);
    if (!found) throw new Error("The line has no row.");
    return verdict(found);
  };
  const payment = (order: { id: string }, amount: number, others: Row = {}) => ({
    order_id: order.id,
    amount,
    paid_on: "2026-11-02",
    reference: `TX ${randomUUID()}`,
    ...others,
  });
  const record = async (payments: Row[], { method = "mobile_money", statement = randomUUID() } = {}) =>
    (await call(recordSql, statement, method, JSON.stringify(payments)))[0]?.n;
  const bank = () => ({ method: "bank_transfer", statement: randomUUID() });
  const due = async (order: Placed) => (await summaryOf(open(), order.by, order.id)).due;

  describe("are matched", () => {
    test.each<[string, (number: number) => string]>([
      ["after the word order", (number) => `Books, order ${number}`],
      ["as 'Order No. …'", (number) => `ORDER NO. ${number} thank you`],
      ["after a hash", (number) => `for #${number}.`],
      ["without a space", (number) => `ord${number}`],
      ["alone", (number) => ` ${number} `],
      ["alone after 'No.'", (number) => `No. ${number}`],
    ])("by the number of an order %s, even for part of the amount due", async (_, text) => {
      const order = await place();
      expect(await verdictOf({ narration: text(order.number), amount: 5 })).toEqual([
        "proposed",
        "named",
        null,
        [order.number],
      ]);
    });

    test.each([
      "STANDING ORDER",
      "for purchase order no.",
      "Payment Orders:",
      "Money order",
      "Postal  Order #",
      "bankers order",
      "TRF#",
      "Cheque #",
      "receipt no. #",
      "teller #",
    ])("by an order's number after '%s' only if the amount fits: it may be another's", async (words) => {
      const order = await place();
      const narration = `${words} ${order.number} BOOKS`;
      expect(await verdictOf({ narration, amount: 5 })).toEqual([
        "doubtful",
        "number",
        "other_amount",
        [order.number],
      ]);
      expect(await verdictOf({ narration })).toEqual(["proposed", "number", null, [order.number]]);
    });

    test("by the reference that the shop asks for, and the order is found by it", async () => {
      const order = await place();
      const other = await place();
      await open().query(
        `insert into public.shop_settings (id, value) values ('mobileMoneyReference', '"Adwene (B) {order}x"')`,
      );
      onTestFinished(async () => {
        await open().query("delete from public.shop_settings where id = 'mobileMoneyReference'");
      });
      for (const text of [`Adwene (B) ${order.number}x`, `fees adwene(b)${order.number}X thanks`]) {
        expect(await verdictOf({ narration: text, amount: 5 })).toEqual([
          "proposed",
          "named",
          null,
          [order.number],
        ]);
        const found = await call("select number from public.admin_list_orders(_q => $1)", text);
        expect(found).toEqual([{ number: order.number }]);
      }
      // Another shop's reference, and a longer number.
      for (const text of [`Adwene (C) ${other.number}x`, `MyAdwene (B) ${other.number}x`])
        expect((await verdictOf({ narration: text, amount: 5 }))[1]).not.toBe("named");
    });

    test("by the number of its invoice", async () => {
      const order = await place();
      const [invoice] = await call("select reference from public.issue_invoice($1)", order.id);
      expect(await verdictOf({ narration: `SCHOOL ${invoice?.reference} BOOKS`, amount: 5 })).toEqual([
        "proposed",
        "named",
        null,
        [order.number],
      ]);
    });

    test("by a number among other words only if the amount or the payer matches", async () => {
      const order = await place({ recipient_phone: "024 412 3456", recipient_name: "Ama Serwaa Mensah" });
      const narration = `Books ${order.number} from Kumasi`;
      expect(await verdictOf({ narration })).toEqual(["proposed", "number", null, [order.number]]);
      expect(await verdictOf({ narration, amount: 5, phone: "233244123456" })).toEqual([
        "proposed",
        "number",
        null,
        [order.number],
      ]);
      expect(await verdictOf({ narration, amount: 5 })).toEqual([
        "doubtful",
        "number",
        "other_amount",
        [order.number],
      ]);
    });

    test.each([
      (number: number) => `${number}.00 paid`,
      (number: number) => `on 12/${number}`,
      (number: number) => `2${number}34567890`,
      (number: number) => `REF${number}`,
    ])("not by digits that mean something else", async (text) => {
      const order = await place();
      await record([payment(order, order.due)]);
      const other = await place();
      expect(await verdictOf({ narration: text(other.number), amount: 3 })).toEqual([
        "unknown",
        null,
        null,
        [],
      ]);
    });

    test("with a doubt if the order is paid, cancelled or owes less", async () => {
      const order = await place();
      const narration = `order ${order.number}`;
      expect(await verdictOf({ narration, amount: order.due + 1 })).toEqual([
        "doubtful",
        "named",
        "more_than_due",
        [order.number],
      ]);
      await call("update public.orders set status = 'cancelled' where id = $1", order.id);
      expect(await verdictOf({ narration })).toEqual(["doubtful", "named", "nothing_due", [order.number]]);
    });

    test.each<[string, Line]>([
      ["the recipient's phone", { phone: "+233 24 412 3456" }],
      ["a phone without its zero", { phone: "244123456" }],
      ["a phone in the text", { narration: "Cash in from 0244123456 MTN" }],
      ["an operator's address", { phone: "FRI:233244123456/MSISDN" }],
      ["the account's phone", { phone: "0201112233" }],
    ])("by the amount due and %s", async (_, line) => {
      await place({ recipient_phone: "0501112233", recipient_name: "Yaw" });
      await open().query("update public.orders set user_id = null where total_amount = $1", [book.price]);
      const order = await place({ recipient_phone: "(024) 412-3456", recipient_name: "Ama" });
      expect(await verdictOf(line)).toEqual(["proposed", "phone", null, [order.number]]);
    });

    test.each<[string, Line]>([
      ["in another order, with a title", { name: "MENSAH AMA SERWAA MRS" }],
      ["with fewer words", { name: "Ama Mensah" }],
      ["in the text", { narration: "TRF FROM AMA SÉRWAA MENSAH/BOOKS" }],
      ["of the account", { name: "BOATENG, AKOSUA" }],
    ])("by the amount due and the payer's name %s", async (_, line) => {
      await place({ recipient_name: "Yaw Mensah" });
      await open().query("update public.orders set user_id = null where total_amount = $1", [book.price]);
      const order = await place({ recipient_name: "Ama Serwaa Mensah" });
      expect(await verdictOf(line)).toEqual(["proposed", "name", null, [order.number]]);
    });

    test("by the amount only, if one order owes it; staff choose among several, newest first", async () => {
      const first = await place();
      expect(await verdictOf({ name: "Someone" })).toEqual(["proposed", "amount", null, [first.number]]);
      const second = await place({ recipient_name: "Yaw Darko" });
      expect(await verdictOf({ name: "Someone" })).toEqual([
        "doubtful",
        "amount",
        "several",
        [second.number, first.number],
      ]);
      expect(await verdictOf({ name: "Yaw Darko" })).toEqual(["proposed", "name", null, [second.number]]);
      await record([payment(first, 1)]);
      expect(await verdictOf({ amount: book.price - 1 })).toEqual([
        "proposed",
        "amount",
        null,
        [first.number],
      ]);
    });

    test("with at most ten of the matching orders, and how many there are", async () => {
      for (let n = 0; n < 12; n += 1) await place();
      const [found] = await match([{}]);
      expect([found?.matches, found?.orders.length]).toEqual([12, 10]);
    });

    test("each order to one line, the one with the strongest reason", async () => {
      const order = await place({ recipient_phone: "0244123456" });
      const found = await match([
        {},
        { phone: "0244123456" },
        { narration: `order ${order.number}`, amount: 1 },
      ]);
      expect(found.map((row) => [...verdict(row).slice(0, 3), row.about_line])).toEqual([
        ["doubtful", "amount", "other_line", 3],
        ["doubtful", "phone", "other_line", 3],
        ["proposed", "named", null, null],
      ]);
    });

    test("as recorded, by reference and method, until the payment is corrected", async () => {
      const [order, other] = [await place(), await place()];
      const paid = payment(order, 5, { reference: "mp 77/a" });
      await record([paid]);
      const [recorded] = await open().query("select id from public.payments where order_id = $1", [order.id]);
      const line = { reference: " MP 77/A ", narration: `order ${other.number}`, amount: 7 };
      const [found] = await match([line]);
      expect([found?.outcome, found?.about_order]).toEqual(["recorded", order.number]);
      expect((await match([line], "bank_transfer"))[0]?.outcome).toBe("proposed");
      await call("select public.correct_payment($1, 'Wrong order')", recorded?.id);
      expect((await match([line]))[0]?.outcome).toBe("proposed");
    });

    test("once for each transaction ID of the statement", async () => {
      const order = await place();
      const found = await match([
        { reference: "R 1", narration: `order ${order.number}`, amount: 5 },
        { reference: "r 1", narration: `order ${order.number}`, amount: 5 },
        { narration: `order ${order.number}`, amount: 5 },
        { narration: `order ${order.number}`, amount: 5 },
      ]);
      expect(found.map(({ outcome, about_line }) => [outcome, about_line])).toEqual([
        ["proposed", null],
        ["repeated", 1],
        ["proposed", null],
        ["proposed", null],
      ]);
    });

    test("with a doubt if a recorded payment of the day and amount has no ID", async () => {
      const [order, other] = [await place(), await place()];
      await record([payment(order, order.due, { reference: null })], bank());
      const [found] = await match([{ reference: "FT 1" }], "bank_transfer");
      expect(found).toMatchObject({ outcome: "doubtful", doubt: "similar", about_order: order.number });
      expect(found?.orders.map(({ number }) => number)).toEqual([other.number]);
      expect((await match([{ reference: "FT 1", day: "2026-11-03" }], "bank_transfer"))[0]).toMatchObject({
        outcome: "proposed",
      });
    });

    test("whatever their texts are", async () => {
      const texts = [
        "",
        "%",
        "\\",
        "order 99999999999999999999",
        "order 000",
        "'; drop table x",
        "🧾 ɔ".repeat(300),
      ];
      const found = await match(
        texts.map((text) => ({ narration: text, name: text, phone: text, reference: text, amount: 0.01 })),
      );
      expect(new Set(found.map(({ outcome }) => outcome))).toEqual(new Set(["unknown"]));
      expect(await match([{ amount: 1e30 }])).toMatchObject([{ outcome: "unknown" }]);
    });

    test.each([
      ["no list", "mobile_money", "{}", "invalid_rows"],
      ["an empty list", "mobile_money", "[]", "too_many_lines"],
      ["texts", "mobile_money", '["a"]', "too_many_lines"],
      ["1,001 lines", "mobile_money", JSON.stringify(Array(1001).fill({})), "too_many_lines"],
      ["cash", "cash", "[{}]", "invalid_field"],
      ["Paystack", "paystack", "[{}]", "invalid_field"],
    ])("but %s is refused, when recording too", async (_, method, lines, code) => {
      for (const sql of [matchSql, recordSql.replace("$1, $2, $3", "gen_random_uuid(), $1, $2")])
        expect((await refusalOf(call(sql, method, lines))).detail).toMatchObject({ code });
    });
  });

  describe("are recorded", () => {
    test("together, each with its own day, ID, email and log entry", async () => {
      const [first, second] = [await place(), await place({}, { copies: 2 })];
      const payments = [
        payment(first, first.due, { paid_on: "2026-11-01", reference: "A 1" }),
        payment(second, 5, { reference: "A 2" }),
      ];
      expect(await record(payments)).toBe(2);
      const rows = await open().query(
        "select reference, paid_on::text, amount::float, kind, method, state, actor from public.payments where order_id = any ($1) order by reference",
        [[first.id, second.id]],
      );
      const same = { kind: "payment", method: "mobile_money", state: "settled", actor: admin.id };
      expect(rows).toEqual([
        { reference: "A 1", paid_on: "2026-11-01", amount: first.due, ...same },
        { reference: "A 2", paid_on: "2026-11-02", amount: 5, ...same },
      ]);
      expect([await due(first), await due(second)]).toEqual([0, second.due - 5]);
      const emails = await open().query(
        "select order_id from public.outgoing_emails where kind = 'order_paid' and order_id = any ($1)",
        [[first.id, second.id]],
      );
      expect(emails).toHaveLength(2);
    });

    test("once, however often they are sent", async () => {
      const order = await place();
      const payments = [payment(order, 5), payment(order, 6, { reference: "" })];
      const momo = { statement: randomUUID() };
      await record(payments.slice(0, 1), momo);
      expect((await refusalOf(record(payments, momo))).detail).toMatchObject({
        code: "payments_refused",
        lines: [{ line: 2, message: "The transaction ID is required." }],
      });
      const transfers = [payment(order, 5, { reference: null }), payment(order, 6, { reference: null })];
      const statement = bank();
      for (let n = 0; n < 3; n += 1) expect(await record(transfers, statement)).toBe(2);
      expect(await due(order)).toBe(order.due - 16);
    });

    test("or not at all if a line is named twice: only one of its payments would be recorded", async () => {
      const [one, two] = [await place(), await place()];
      const twice = [
        payment(one, 5, { line: 7 }),
        payment(one, 5, { line: 7 }),
        payment(two, 5, { line: 8 }),
      ];
      expect(await refusalOf(record(twice))).toMatchObject({
        code: "PT400",
        detail: { code: "invalid_rows" },
      });
      expect(await paymentsOf(open(), one.id)).toEqual([]);
    });

    test("or not at all: each refused line is named, and no other is recorded", async () => {
      const [order, paid] = [await place(), await place()];
      await record([payment(paid, paid.due, { reference: "USED" })]);
      const gone = { id: randomUUID() };
      const refused = await refusalOf(
        record([
          payment(order, 1, { line: 4, reference: "GOOD" }),
          payment(order, 1, { line: 5, reference: "good" }),
          payment(paid, 1, { line: 6 }),
          payment(gone, 1, { line: 7 }),
          payment(order, 1, { line: 8, reference: "used" }),
          payment(order, 1, { line: 9, paid_on: "2999-01-01" }),
          payment(order, 0.001, { line: 10 }),
        ]),
      );
      expect(refused.message).toBe(
        `Nothing was recorded. Line 5, order ${order.number}: This transaction ID has been recorded before. 5 more lines were refused.`,
      );
      expect(refused).toMatchObject({ code: "PT409", detail: { code: "payments_refused" } });
      expect(
        (refused.detail as { lines: Row[] }).lines.map(({ line, order_number, code }) => [
          line,
          order_number,
          code,
        ]),
      ).toEqual([
        [5, order.number, "reference_recorded"],
        [6, paid.number, "more_than_due"],
        [7, null, "order_not_found"],
        [8, order.number, "reference_recorded"],
        [9, order.number, "invalid_field"],
        [10, order.number, "invalid_field"],
      ]);
      expect(await paymentsOf(open(), order.id)).toEqual([]);
    });

    test("for more than is due only if staff confirm it", async () => {
      const order = await place();
      const more = payment(order, order.due + 5);
      const refused = await refusalOf(record([more]));
      expect(refused.message).toContain(`Line 1, order ${order.number}: Only GH₵${order.due}.00 is due.`);
      await record([{ ...more, more_than_due: true }]);
      expect(await summaryOf(open(), customer, order.id)).toMatchObject({ state: "too_much" });
    });

    test("not for another order or amount, once a line of the statement is recorded", async () => {
      const [order, other] = [await place(), await place()];
      const first = payment(order, 5, { reference: null });
      const statement = bank();
      await record([first], statement);
      for (const changed of [{ order_id: other.id }, { amount: 6 }])
        expect((await refusalOf(record([{ ...first, ...changed }], statement))).message).toBe(
          `Nothing was recorded. Line 1, order ${"order_id" in changed ? other.number : order.number}: This has already been recorded for order ${order.number}.`,
        );
    });

    test("once if the same statement is sent twice at the same moment", async () => {
      const answers = await expectSerial(open(), async () => {
        const order = await place({}, { by: await addCustomer(open()) });
        const sent: Request = [
          admin,
          recordSql,
          [randomUUID(), "bank_transfer", JSON.stringify([payment(order, 5, { reference: null })])],
        ];
        return { requests: [sent, sent], see: () => paymentsOf(open(), order.id) };
      });
      expect(answers).toEqual([
        ["done", "done"],
        ["done", "done"],
      ]);
    });

    test("by two admins at once with the same result as one after the other, in any order of lines", async () => {
      const second = await addStaff(open(), "admin");
      const answers = await expectSerial(open(), async () => {
        const by = await addCustomer(open());
        const [one, other] = [await place({}, { by }), await place({}, { by })];
        const lines = [
          { order: one, reference: `X ${randomUUID()}` },
          { order: other, reference: `Y ${randomUUID()}` },
        ];
        const request = (person: SignedIn, of: typeof lines): Request => [
          person,
          recordSql,
          [
            randomUUID(),
            "mobile_money",
            JSON.stringify(of.map(({ order, reference }) => payment(order, order.due, { reference }))),
          ],
        ];
        return {
          requests: [request(admin, lines), request(second, lines.toReversed())],
          see: async () => [await paymentsOf(open(), one.id), await paymentsOf(open(), other.id)],
        };
      });
      expect(answers).toEqual([
        ["done", "payments_refused"],
        ["payments_refused", "done"],
      ]);
    });

    test("without a deadlock while statuses of the same orders are set in another order", async () => {
      const answers = await expectSerial(open(), async () => {
        const by = await addCustomer(open());
        const orders = [await place({}, { by }), await place({}, { by }), await place({}, { by })];
        const ids = orders.map(({ id }) => id);
        const sorted = [...orders].sort((one, two) => (one.id < two.id ? -1 : 1));
        return {
          requests: [
            [
              admin,
              recordSql,
              [randomUUID(), "mobile_money", JSON.stringify(sorted.map((order) => payment(order, 5)))],
            ],
            [
              admin,
              "select * from public.set_order_statuses($1, $2, 'processing')",
              [sorted.toReversed().map(({ id }) => id), ["pending", "pending", "pending"]],
            ],
          ],
          see: () =>
            open().query("select status, paid_amount::float from public.orders where id = any ($1)", [ids]),
        };
      });
      expect(answers).toEqual([
        ["done", "done"],
        ["done", "done"],
      ]);
    });

    test("a thousand at once", { tags: "long" }, async () => {
      const order = await place({}, { copies: 90 });
      expect(await record(Array.from({ length: 1000 }, () => payment(order, 0.01)))).toBe(1000);
      expect(await due(order)).toBeCloseTo(order.due - 10);
    });
  });

  test.each(["customer", "moderator"])(
    "can be matched only with the duty payments, not by a %s",
    async (role) => {
      const person = role === "customer" ? customer : await addStaff(open(), "moderator");
      const order = await place();
      const calls: [string, Row][] = [
        [matchSql, { amount: 5 }],
        [recordSql.replace("$1, $2, $3", "gen_random_uuid(), $1, $2"), payment(order, 5)],
      ];
      for (const [sql, line] of calls) {
        const refused = open().as(person, (query) => query(sql, ["mobile_money", JSON.stringify([line])]));
        expect((await refusalOf(refused)).detail).toMatchObject({ code: "duty_missing" });
      }
      expect(await paymentsOf(open(), order.id)).toEqual([]);
    },
  );

  test("of a thousand lines read only a few of many orders", { tags: "long" }, async () => {
    await open().run(`
      set session_replication_role = replica;
      insert into public.orders (user_id, total_amount, recipient_name, recipient_phone)
      select '${customer.id}', 1000 + n * 0.01, 'Payer ' || n, '024' || lpad(n::text, 7, '0') from generate_series(1, 20000) as n;
      set session_replication_role = origin;
      analyze public.orders;
    `);
    const lines = Array.from({ length: 1000 }, (_, n) => ({
      amount: 1000 + (n + 1) / 100,
      day: "2026-11-02",
      reference: `S ${n}`,
      phone: `024${String(n + 1).padStart(7, "0")}`,
    }));
    const read = await open().transaction(async (query) => {
      const rowsRead = "select seq_tup_read as n from pg_stat_xact_user_tables where relname = 'orders'";
      return countDuring(query, rowsRead, async () => {
        const rows = await query<Found>(matchSql, ["mobile_money", JSON.stringify(lines)]);
        expect(rows.map(({ outcome, reason }) => `${outcome} ${reason}`)).toEqual(
          Array(1000).fill("proposed phone"),
        );
      });
    });
    expect(read).toBe(0);
  });
});
