import type { BookToQuote } from "#app/features/admin/quotes/quote.admin-queries.ts";
import { type DeliveryForm, findDeliveryProblem, orderRules } from "#app/features/delivery/delivery-form.ts";
import { isPhone, PHONE_MALFORMED } from "#app/features/delivery/phone.ts";
import { fillInMessage, type ShippingForm } from "#app/features/delivery/shipping-form.ts";
import { EMAIL_MALFORMED, isEmail } from "#app/lib/email.ts";
import { type Pesewas, sumPesewas, timesQuantity } from "#app/lib/money.ts";

/** A book ordered by a caller. */
export type PhoneLine = Pick<BookToQuote, "id" | "title" | "price" | "stock_quantity"> & { quantity: number };

export function booksTotal(lines: readonly PhoneLine[]): Pesewas {
  return sumPesewas(lines.map(({ price, quantity }) => timesQuantity(price, quantity)));
}

export type PhoneProblem = { field: string; message: string };

/** The form's first problem, from the top; a caller needs no email, and an order to collect no address. */
export function findPhoneProblem(form: ShippingForm, delivery: DeliveryForm): PhoneProblem | null {
  const needed =
    delivery.delivery_method === "collect"
      ? (["fullName", "phone"] as const)
      : (["fullName", "phone", "address", "city"] as const);
  const missing = needed.find((name) => !form[name].trim());
  if (missing) return { field: missing, message: fillInMessage(missing) };
  if (form.email.trim() && !isEmail(form.email.trim())) return { field: "email", message: EMAIL_MALFORMED };
  if (!isPhone(form.phone)) return { field: "phone", message: PHONE_MALFORMED };
  return findDeliveryProblem(delivery, orderRules());
}
