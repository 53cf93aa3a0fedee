import type { Pesewas } from "#shared/text/money.ts";
import { readPrice } from "#shared/text/typed-price.ts";

/** What staff enter about money received or refunded. */
export type PaymentForm = {
  kind: string;
  method: string;
  amount: string;
  paidOn: string;
  reference: string;
  note: string;
};

export type PaymentFormErrors = Partial<Record<keyof PaymentForm, string>>;

/**
 * The amount in a field.
 * @returns an error for the field when it is empty or not an amount
 */
export function readAmount(typed: string): { amount: Pesewas } | { error: string } {
  const amount = readPrice(typed);
  if (amount === "ambiguous") return { error: "Write this amount with two decimals" };
  return amount === null || amount === 0 ? { error: "Enter an amount, such as 45.50" } : { amount };
}

/** The form's errors by field, found without the database. */
export function findErrors({ method, amount, paidOn, reference }: PaymentForm): PaymentFormErrors {
  const read = readAmount(amount);
  return {
    ...("error" in read && { amount: read.error }),
    ...(paidOn === "" && { paidOn: "Enter the day" }),
    ...(method === "mobile_money" &&
      reference.trim() === "" && { reference: "Enter the operator's transaction ID" }),
  };
}
