import type { Sql } from "#server/database/sql.ts";
import type { CallDatabase } from "#server/lib/call-database.ts";
import { createPaymentService, type PaymentService } from "#server/payments/payment-service.ts";
import { connectPaystack } from "#server/payments/paystack.ts";
import { paystackKey } from "./paystack.ts";

/*
 * The shop's work on payments and emails, which reports before and after each step: a test holds it there, and
 * kills its process or cuts the power.
 */

/** Called at each step; the work continues when it resolves. */
export type Reach = (step: string, emailId?: string) => Promise<void>;

/** A step is a function of the database, or "ask open", "ask verify" and so on for what Paystack is asked. */
export function steppingPaymentService(
  database: CallDatabase,
  paystackUrl: string,
  reach: Reach,
): PaymentService {
  async function step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    await reach(`before ${name}`);
    const result = await work();
    // A claim that finds nothing is not a step.
    if (name !== "claim_payment_check" || result !== null) await reach(`after ${name}`);
    return result;
  }
  const paystack = connectPaystack({ secretKey: paystackKey, url: paystackUrl });
  return createPaymentService({
    call: (name, values) => step(name, () => database(name, values)),
    provider: {
      ...paystack,
      open: (payment) => step("ask open", () => paystack.open(payment)),
      verify: (reference) => step("ask verify", () => paystack.verify(reference)),
      refund: (refund) => step("ask refund", () => paystack.refund(refund)),
      listRefunds: (id) => step("ask listRefunds", () => paystack.listRefunds(id)),
    },
    siteUrl: "http://shop.example",
  });
}

/** For the email worker: "claimed" before anything is sent, "accepted" before that is recorded, "recorded" after it. */
export const steppingEmails = (sql: Sql, reach: Reach): Sql => ({
  ...sql,
  query: async (text, values) => {
    const recorded = text.includes("record_sent_email") ? String(values?.[0]) : null;
    if (recorded) await reach("accepted", recorded);
    const rows = await sql.query<{ result: { id: string } | null }>(text, values);
    if (recorded) await reach("recorded", recorded);
    const claimed = text.includes("claim_email") && rows[0]?.result?.id;
    if (claimed) await reach("claimed", claimed);
    return rows as never;
  },
});
