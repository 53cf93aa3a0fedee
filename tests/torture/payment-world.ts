import { callAsOwner } from "#server/database/call-as-owner.ts";
import type { Sql } from "#server/database/sql.ts";
import { createPaymentService, type PaymentService } from "#server/payments/payment-service.ts";
import { connectPaystack } from "#server/payments/paystack.ts";
import { type Paystack, paystackKey } from "#tests/support/paystack.ts";
import { findRows } from "./email-steps.ts";
import { paymentInvariants } from "./payment-steps.ts";
import { customersOf } from "./placing.ts";

/** What is under way when the process or the power dies, and the steps at which it does. */
const moments = {
  open: [
    "before open_payment",
    "after open_payment",
    "after ask open",
    "before note_checkout",
    "after note_checkout",
  ],
  settle: [
    "after claim_payment_check",
    "before ask verify",
    "after ask verify",
    "before settle_payment",
    "after settle_payment",
  ],
  refund: [
    "after claim_payment_check",
    "after ask listRefunds",
    "before ask refund",
    "after ask refund",
    "before settle_refund",
    "after settle_refund",
  ],
} as const;

export type Work = keyof typeof moments;

export const allMoments = (Object.keys(moments) as Work[]).flatMap((work) =>
  moments[work].map((moment) => ({ work, moment })),
);

/** What people do about payments in a shop's database, with Paystack's stand-in. */
export type PaymentWorld = {
  paymentService: PaymentService;
  /** An order of GH₵100. */
  newOrder: () => Promise<string>;
  /** The customer opens a payment and makes it; answers its reference. */
  pay: (order: string) => Promise<string>;
  /** Staff refund GH₵40; answers the refund's id once it is confirmed. */
  refund: (order: string) => Promise<string>;
  /** The time has come for the worker to ask about an order's payments; about all, without one. */
  makeDue: (order?: string) => Promise<void>;
  /** The worker, as long as something is due. */
  goOn: () => Promise<void>;
  /** What does not hold of money in a shop at rest. */
  findBroken: () => Promise<string[]>;
};

export function openPaymentWorld(sql: Sql, paystack: Paystack, book: string): PaymentWorld {
  const provider = connectPaystack({ secretKey: paystackKey, url: paystack.url });
  const paymentService = createPaymentService({
    provider,
    call: callAsOwner(sql),
    siteUrl: "http://shop.example",
  });

  return {
    paymentService,
    newOrder: customersOf(sql, book),
    pay: async (order) => {
      const opened = await paymentService.open(order);
      if (!("address" in opened)) throw new Error(`The payment is ${opened.state} before it was made`);
      const reference = String(opened.address.split("/").at(-1));
      paystack.approve(reference);
      return reference;
    },
    refund: async (order) => {
      const [payment] = await sql.query<{ id: string }>(
        "select id from public.payments where order_id = $1::text::uuid and state = 'settled'",
        [order],
      );
      const [refund] = await sql.query<{ id: string }>(
        "select public.refund_payment(gen_random_uuid(), $1::text::uuid, 40) as id",
        [payment?.id],
      );
      return String(refund?.id);
    },
    makeDue: async (order) => {
      await sql.query(
        `update public.payments
            set check_at = clock_timestamp() + case when coalesce($1::text::uuid, order_id) = order_id
                                                    then interval '0' else interval '10 minutes' end
          where state = 'open'`,
        [order ?? null],
      );
    },
    goOn: async () => {
      while (await paymentService.checkNext());
    },
    findBroken: () => findRows((query) => sql.query(query), paymentInvariants),
  };
}
