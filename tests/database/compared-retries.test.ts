import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { requestConsultation } from "#tests/support/consultations.ts";
import { addBook, addCustomer, addStaff, order } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { paymentsOf, payOnline } from "#tests/support/payments.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";

describeDatabase("What staff send again under the same id", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  /** An order of GH₵100. */
  let orderId: string;
  let id: string;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
  });
  const newOrder = async () => order(open(), customer, [[await addBook(open(), { price: 50 }), 2]]);
  beforeEach(async () => {
    customer = await addCustomer(open());
    orderId = await newOrder();
    id = randomUUID();
  });

  const call = (sql: string, ...values: unknown[]) =>
    open().as(admin, (query) => query(`select public.${sql}`, values));
  /** What the table has under this id, without when it was written and by whom. */
  const storedIn = async (table: string) => {
    const [row] = await open().query<{ row: object }>(
      `select to_jsonb(t) as row from ${table} as t where id = $1`,
      [id],
    );
    return row?.row;
  };

  /**
   * Sends the values once, then again, and then with each of the changed values in place of its own, which the function
   * refuses with the code. Nothing that was stored changes.
   */
  async function expectCompared(
    { sql, table, code }: { sql: string; table: string; code: string },
    values: unknown[],
    changes: [place: number, value: unknown][],
  ): Promise<void> {
    await call(sql, ...values);
    const stored = await storedIn(table);
    expect(stored).toBeDefined();
    await call(sql, ...values);
    for (const [place, value] of changes) {
      const refusal = await refusalOf(call(sql, ...values.with(place, value)));
      expect(refusal).toMatchObject({ code: "PT409", detail: { code } });
      expect(refusal.message).toMatch(/ already .*, before your last changes\. You'll find /);
    }
    expect(await storedIn(table)).toEqual(stored);
  }

  test("records a payment once, and is refused with another amount, day, method, kind, text or order", async () => {
    const others = await newOrder();
    await expectCompared(
      {
        sql: "record_payment($1, $2, $3, $4, $5, $6::date, $7, $8)",
        table: "public.payments",
        code: "payment_exists",
      },
      [id, orderId, "payment", "cash", 40, "2026-11-01", " R1 ", "At the desk"],
      [
        [1, others],
        [2, "refund"],
        [3, "bank_transfer"],
        [4, 40.5],
        [5, "2026-11-02"],
        [6, null],
        [7, "At the counter"],
      ],
    );
    expect([await paymentsOf(open(), orderId), await paymentsOf(open(), others)]).toEqual([
      ["payment cash 40.00 settled"],
      [],
    ]);
  });

  test("records a refund by hand once, and is refused with another amount", async () => {
    await call("record_payment($1, $2, 'payment', 'cash', 100, '2026-11-01')", randomUUID(), orderId);
    await expectCompared(
      {
        sql: "record_payment($1, $2, 'refund', 'cash', $3, '2026-11-01')",
        table: "public.payments",
        code: "payment_exists",
      },
      [id, orderId, 30],
      [[2, 35]],
    );
    expect(await paymentsOf(open(), orderId)).toEqual([
      "payment cash 100.00 settled",
      "refund cash -30.00 settled",
    ]);
  });

  test("requests a refund from Paystack once, and is refused with another amount, note or payment", async () => {
    const payment = await payOnline(open(), orderId, 100);
    const other = await payOnline(open(), await newOrder(), 100);
    await expectCompared(
      { sql: "refund_payment($1, $2, $3, $4)", table: "public.payments", code: "refund_exists" },
      [id, payment.id, 30, "Torn"],
      [
        [1, other.id],
        [2, 35],
        [3, "Torn covers"],
      ],
    );
    expect(await paymentsOf(open(), orderId)).toEqual([
      "payment paystack 100.00 settled",
      "refund paystack -30.00 open",
    ]);
  });

  test("stores one of two different refunds that arrive at once, and refuses the other", async () => {
    const payment = await payOnline(open(), orderId, 100);
    const outcomes = await Promise.allSettled(
      [30, 35].map((amount) => call("refund_payment($1, $2, $3)", id, payment.id, amount)),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await paymentsOf(open(), orderId)).toHaveLength(2);
  });

  test("adds a note to an order once, and is refused with other words or for another order", async () => {
    await expectCompared(
      { sql: "add_order_note($1, $2, $3)", table: "public.order_notes", code: "note_exists" },
      [id, orderId, " Call at five "],
      [
        [1, await newOrder()],
        [2, "Call at six"],
      ],
    );
  });

  test("adds a note about a person once, and is refused with other words or about someone else", async () => {
    const other = await addCustomer(open());
    await expectCompared(
      { sql: "add_person_note($1, $2, $3)", table: "private.person_notes", code: "note_exists" },
      [id, customer.id, " Prefers calls "],
      [
        [1, other.id],
        [2, "Prefers emails"],
      ],
    );
  });

  test("stores one of two different notes that arrive at once, and refuses the other", async () => {
    const outcomes = await Promise.allSettled(
      ["Call at five", "Call at six"].map((note) => call("add_order_note($1, $2, $3)", id, orderId, note)),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("closes a day once, and is refused with another count or note", async () => {
    await expectCompared(
      { sql: "close_day($1, $2, 'cash', 0, $3, $4)", table: "public.closings", code: "closing_exists" },
      [id, "2021-03-04", 20, "Two notes"],
      [
        [1, "2021-03-05"],
        [2, 21],
        [3, "Three notes"],
      ],
    );
  });

  test("keeps money once, and is refused with another amount or reason", async () => {
    await call(
      "record_payment($1, $2, 'payment', 'cash', 120, '2026-11-01', null, null, true)",
      randomUUID(),
      orderId,
    );
    await expectCompared(
      { sql: "keep_overpayment($2, $3, $4, $1)", table: "public.order_notes", code: "note_exists" },
      [id, orderId, 10, "Our costs"],
      [
        [2, 15],
        [3, "Agreed by phone"],
      ],
    );
    const [row] = await open().query("select kept_amount::float as kept from public.orders where id = $1", [
      orderId,
    ]);
    expect(row).toEqual({ kept: 10 });
  });

  test("answers a consultation once, and is refused with other words", async () => {
    await requestConsultation(open(), customer, {});
    const [consultation] = await open().query<{ id: string; version: number }>(
      "select id, version from public.consultations order by created_at desc limit 1",
    );
    await expectCompared(
      {
        sql: "answer_consultation($2, $3, $1, $4)",
        table: "public.consultation_answers",
        code: "answer_exists",
      },
      [id, consultation?.id, consultation?.version, " Come on Friday "],
      [[3, "Come on Monday"]],
    );
  });

  test("begins a count once, and is refused with another name or scope", async () => {
    const shelf = randomUUID();
    await open().query("update public.books set shelf = $2 where id = $1", [
      (await addBook(open())).id,
      shelf,
    ]);
    await expectCompared(
      { sql: "begin_stock_count($1, $2, $3, $4)", table: "public.stock_counts", code: "count_exists" },
      [id, "A count", "shelf", shelf],
      [
        [1, "Another count"],
        [2, "publisher"],
        [3, "B2"],
      ],
    );
  });
});
