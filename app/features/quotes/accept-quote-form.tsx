import { Button } from "#app/components/button.tsx";
import { InputField } from "#app/components/field.tsx";
import { showToast } from "#app/components/toast.ts";
import { useForm } from "#app/components/use-form.ts";
import { DeliveryFields } from "#app/features/delivery/delivery-fields.tsx";
import {
  emptyOrderForm,
  findOrderErrors,
  type OrderForm,
  orderRules,
  orderTextsOf,
} from "#app/features/delivery/delivery-form.ts";
import { ShippingFields } from "#app/features/delivery/shipping-fields.tsx";
import { plainTexts } from "#app/lib/order-fields.ts";
import type { Acceptance, OwnQuote } from "./quote.queries.ts";

/** The purchase order's number becomes the order's reference. */
const texts = plainTexts.filter(({ name }) => name !== "customer_reference");

type AcceptQuoteFormProps = { quote: OwnQuote; onAccept: (acceptance: Acceptance) => Promise<void> };

/** The purchase order number and where to deliver, filled in from the request. */
export function AcceptQuoteForm({ quote, onAccept }: AcceptQuoteFormProps) {
  const form = useForm<OrderForm & { purchaseOrderNumber: string }>({
    fields: {
      ...emptyOrderForm,
      purchaseOrderNumber: "",
      fullName: quote.contact_name ?? "",
      email: quote.contact_email ?? "",
      phone: quote.contact_phone ?? "",
    },
    rules: findOrderErrors,
    onInvalid: (errors) => showToast("error", Object.values(errors).join()),
    send: (typed) =>
      onAccept({ purchaseOrderNumber: typed.purchaseOrderNumber.trim(), texts: orderTextsOf(typed) }),
  });

  return (
    <form {...form.formProps} aria-labelledby="accept-quote">
      <h2 id="accept-quote" className="text-25">
        Accept this quote
      </h2>
      <p className="mt-1 text-15 text-muted">This places your order at the prices above.</p>
      <div className="mt-5 grid gap-5 sm:grid-cols-2">
        <InputField
          className="sm:col-span-2"
          label="Purchase order number (optional)"
          autoComplete="off"
          maxLength={60}
          hint="If your school has its own number for this order, we put it on the order and its documents."
          {...form.field("purchaseOrderNumber")}
        />
        <ShippingFields form={form} />
      </div>
      <div className="mt-5">
        <DeliveryFields foldsOptional texts={texts} {...orderRules()} form={form} />
      </div>
      <Button type="submit" size="large" busy={form.busy} className="mt-6 w-full sm:w-auto">
        {form.busy ? "Placing your order…" : "Accept and Order"}
      </Button>
    </form>
  );
}
