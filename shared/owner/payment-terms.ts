/** Replaces the owner's text on payment (shared/owner/shop.ts) in a shop whose customers can pay online. */
export const paidOnline =
  "You can pay on your order's page by mobile money, card or bank transfer. If you'd rather pay another way, such as cash on delivery, tell us when we call or message you.";

/** How an order can be paid (payments.method in the database). */
export const paymentMethods = {
  paystack: "Paystack",
  mobile_money: "Mobile money",
  cash: "Cash",
  bank_transfer: "Bank transfer",
} as const;

export type PaymentMethod = keyof typeof paymentMethods;

/** Why a payment failed or needs a decision (payments.reason), as a sentence for staff. */
export const paymentReasons: Readonly<Record<string, string>> = {
  wrong_amount: "This is not the amount that was asked for.",
  wrong_currency: "This is not the currency that was asked for.",
  more_than_due: "This is more than was still due.",
  order_cancelled: "The order is cancelled.",
  order_deleted: "The order was deleted.",
  reversed: "Paystack has since reversed the payment.",
  unknown_reference: "The shop does not know this payment. It may be from before a backup was restored.",
  payment_set_aside: "The payment that it refunds was set aside.",
  declined: "This was declined.",
  not_completed: "This was not completed.",
};
