import type { FieldErrors } from "#app/components/use-form.ts";
import type { BookToQuote } from "#app/features/admin/quotes/quote.admin-queries.ts";
import {
  errorsOf,
  findDeliveryProblem,
  type OrderForm,
  orderRules,
} from "#app/features/delivery/delivery-form.ts";
import { fillInMessage, findMalformed } from "#app/features/delivery/shipping-form.ts";
import { type Pesewas, sumPesewas, timesQuantity } from "#app/lib/money.ts";

/** A book ordered by a caller. */
export type PhoneLine = Pick<BookToQuote, "id" | "title" | "price" | "stock_quantity"> & { quantity: number };

export function booksTotal(lines: readonly PhoneLine[]): Pesewas {
  return sumPesewas(lines.map(({ price, quantity }) => timesQuantity(price, quantity)));
}

/** The form's first error, from the top; a caller needs no email, and an order to collect no address. */
export function findPhoneErrors(form: OrderForm): FieldErrors<OrderForm> {
  const needed =
    form.delivery_method === "collect"
      ? (["fullName", "phone"] as const)
      : (["fullName", "phone", "address", "city"] as const);
  const missing = needed.find((name) => !form[name].trim());
  if (missing) return { [missing]: fillInMessage(missing) };
  for (const name of ["email", "phone"] as const) {
    const error = findMalformed(name, form[name]);
    if (error) return { [name]: error };
  }
  return errorsOf(findDeliveryProblem(form, orderRules()));
}
