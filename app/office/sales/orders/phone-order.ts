import type { FieldErrors } from "#app/components/use-form.ts";
import {
  asOrdered,
  errorsOf,
  findDeliveryProblem,
  type OrderForm,
  withRemembered,
} from "#app/features/delivery/delivery-form.ts";
import {
  fillInMessage,
  findMalformed,
  noAddress,
  withDefaults,
} from "#app/features/delivery/shipping-form.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import type { Caller } from "#app/office/frame/callers/caller.admin-queries.ts";
import type { BookToAdd } from "#app/office/frame/lines/book-to-add.admin-queries.ts";
import { isSent } from "#shared/orders/delivery.ts";
import { type Pesewas, sumPesewas, timesQuantity } from "#shared/text/money.ts";

/** A book ordered by a caller. */
export type PhoneLine = Pick<
  BookToAdd,
  "id" | "title" | "publisher" | "isbn" | "price" | "stock_quantity" | "kind"
> & {
  quantity: number;
};

export function booksTotal(lines: readonly PhoneLine[]): Pesewas {
  return sumPesewas(lines.map(({ price, quantity }) => timesQuantity(price, quantity)));
}

/** Adds one copy of a book, up to a line's maximum. */
export const addCopy = (lines: readonly PhoneLine[], id: string, most: number): PhoneLine[] =>
  lines.map((line) => (line.id === id ? { ...line, quantity: Math.min(line.quantity + 1, most) } : line));

/** The form's values for the order: what is collected or downloaded has no address. */
export function asPhoned(form: OrderForm, isDownloaded: boolean): OrderForm {
  const ordered = asOrdered(form, isDownloaded);
  return isSent(ordered.delivery_method) ? ordered : { ...ordered, ...noAddress };
}

/** Fills what is empty from the caller's account and their last order. */
export const filledFor = (form: OrderForm, caller: Caller): OrderForm =>
  withRemembered(
    withDefaults(form, {
      fullName: caller.full_name,
      email: caller.email,
      phone: caller.phone,
      address: caller.address,
      city: caller.city,
      postalCode: caller.postal_code,
    }),
    caller,
  );

/** The form without what was filled in for an account that was not the caller's, unless it has been changed. */
export function withoutFilled(form: OrderForm, filled: OrderForm, before: OrderForm): OrderForm {
  const names = Object.keys(form) as (keyof OrderForm)[];
  return Object.fromEntries(
    names.map((name) => [name, form[name] === filled[name] ? before[name] : form[name]]),
  ) as OrderForm;
}

/** The form's first error, from the top; a caller needs no email, and an order to collect or to download no address. */
export function findPhoneErrors(form: OrderForm): FieldErrors<OrderForm> {
  const needed = isSent(form.delivery_method)
    ? (["fullName", "phone", "address", "city"] as const)
    : (["fullName", "phone"] as const);
  const missing = needed.find((name) => !form[name].trim());
  if (missing) return { [missing]: fillInMessage(missing) };
  for (const name of ["email", "phone"] as const) {
    const error = findMalformed(name, form[name]);
    if (error) return { [name]: error };
  }
  return errorsOf(findDeliveryProblem(form, currentShop().deliveryFees));
}
