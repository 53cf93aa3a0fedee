import { Button } from "#app/components/button.tsx";
import { InputField } from "#app/components/field.tsx";
import { LoadFailed } from "#app/components/load-failed.tsx";
import { showToast } from "#app/components/toast.ts";
import { useForm } from "#app/components/use-form.ts";
import { isDownloaded } from "#app/features/cart/cart.ts";
import { useDeliveryFee } from "#app/features/checkout/use-delivery-fee.ts";
import { DeliveryFields } from "#app/features/delivery/delivery-fields.tsx";
import {
  asOrdered,
  emptyOrderForm,
  findOrderErrors,
  type OrderForm,
  orderTextsOf,
} from "#app/features/delivery/delivery-form.ts";
import { DownloadFields, ShippingFields } from "#app/features/delivery/shipping-fields.tsx";
import { useSessionUser } from "#app/features/session/session.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { CHOSEN_METHODS, DOWNLOAD } from "#shared/orders/delivery.ts";
import { plainTexts } from "#shared/orders/order-fields.ts";
import { sumPesewas } from "#shared/text/money.ts";
import { AcceptTotal } from "./accept-total.tsx";
import type { Acceptance, OwnQuote } from "./quote.queries.ts";
import { quotedFee, quoteTotals } from "./quote.ts";

/** The purchase order's number becomes the order's reference. */
const texts = plainTexts.filter(({ name }) => name !== "customer_reference");

type AcceptQuoteFormProps = { quote: OwnQuote; onAccept: (acceptance: Acceptance) => Promise<void> };

/** The purchase order number and, unless everything is downloaded, where to deliver; filled in from the request. */
export function AcceptQuoteForm({ quote, onAccept }: AcceptQuoteFormProps) {
  const downloaded =
    quote.delivery_method === DOWNLOAD ||
    isDownloaded(quote.lines.map(({ kind }) => ({ book: { kind: kind ?? "" } })));
  const account = useSessionUser();
  const form = useForm<OrderForm & { purchaseOrderNumber: string }>({
    fields: {
      ...emptyOrderForm,
      purchaseOrderNumber: "",
      fullName: quote.contact_name ?? "",
      email: quote.contact_email ?? account?.email ?? "",
      phone: quote.contact_phone ?? "",
      delivery_method: CHOSEN_METHODS.find((method) => method === quote.delivery_method) ?? "deliver",
      region: quote.region ?? "",
    },
    rules: (typed) => findOrderErrors(asOrdered(typed, downloaded)),
    onInvalid: (errors) => showToast("error", Object.values(errors).join()),
    async send(typed) {
      if (total === null) return;
      await onAccept({
        purchaseOrderNumber: typed.purchaseOrderNumber.trim(),
        texts: orderTextsOf(asOrdered(typed, downloaded)),
        total,
      });
      // The fees may have changed if the request was refused.
      readAgain();
    },
  });
  const { delivery_method, region } = asOrdered(form.values, downloaded);
  const byQuote = downloaded ? null : quotedFee(quote, delivery_method, region);
  const { books } = quoteTotals(quote.lines);
  // Nothing has to be read where the quote itself says what it costs.
  const { shipping: byFees, readAgain } = useDeliveryFee(
    { ...form.values, delivery_method: byQuote === null ? delivery_method : DOWNLOAD },
    books,
  );
  const shipping = byQuote ?? byFees;
  const total = typeof shipping === "number" ? sumPesewas([books, shipping]) : null;

  return (
    <form {...form.formProps} aria-labelledby="accept-quote">
      <h2 id="accept-quote" className="text-25">
        Accept this quote
      </h2>
      <p className="mt-1 text-15 text-muted">
        This places your order at the prices above.
        {downloaded &&
          " Nothing has to be delivered: once the order is paid, you'll find everything on its page."}
      </p>
      <div className="mt-5 grid gap-5 sm:grid-cols-2">
        <InputField
          className="sm:col-span-2"
          label="Purchase order number (optional)"
          autoComplete="off"
          maxLength={60}
          hint="If your school has its own number for this order, we put it on the order and its documents."
          {...form.field("purchaseOrderNumber")}
        />
        {downloaded ? <DownloadFields form={form} /> : <ShippingFields form={form} />}
      </div>
      {!downloaded && (
        <div className="mt-5">
          <DeliveryFields foldsOptional texts={texts} fees={currentShop().deliveryFees} form={form} />
        </div>
      )}
      <AcceptTotal
        quote={quote}
        books={books}
        shipping={shipping}
        isAsQuoted={downloaded || byQuote !== null}
      />
      {shipping === "failed" && (
        <LoadFailed
          className="mt-4"
          text="We couldn't work out what delivery costs."
          onTryAgain={readAgain}
        />
      )}
      {/* Customers must see the total before they can order; without a region, the form asks for it. */}
      <Button
        type="submit"
        size="large"
        busy={form.busy}
        disabled={shipping === "loading" || shipping === "failed"}
        className="mt-6 w-full sm:w-auto"
      >
        {form.busy ? "Placing your order…" : "Accept and Order"}
      </Button>
    </form>
  );
}
