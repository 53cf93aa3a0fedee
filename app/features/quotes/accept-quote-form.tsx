import { type FormEvent, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { InputField } from "#app/components/field.tsx";
import { showToast } from "#app/components/toast.ts";
import { DeliveryFields } from "#app/features/checkout/delivery-fields.tsx";
import {
  type DeliveryProblem,
  deliveryOf,
  emptyDeliveryForm,
  findDeliveryProblem,
} from "#app/features/checkout/delivery-form.ts";
import { ShippingFields } from "#app/features/checkout/shipping-fields.tsx";
import {
  emptyShippingForm,
  type FieldProblem,
  findProblem,
  shippingAddress,
} from "#app/features/checkout/shipping-form.ts";
import type { Acceptance, OwnQuote } from "./quote.queries.ts";

const PURCHASE_ORDER = "purchaseOrderNumber";
const PURCHASE_ORDER_MISSING = "Please fill in purchase order number";

type Problem = FieldProblem | DeliveryProblem | { field: typeof PURCHASE_ORDER; message: string };

type AcceptQuoteFormProps = {
  quote: OwnQuote;
  accepting: boolean;
  onAccept: (acceptance: Acceptance) => void;
};

/** The purchase order number and where to deliver, filled in from the request. */
export function AcceptQuoteForm({ quote, accepting, onAccept }: AcceptQuoteFormProps) {
  const [number, setNumber] = useState("");
  const [form, setForm] = useState({
    ...emptyShippingForm,
    fullName: quote.contact_name ?? "",
    email: quote.contact_email ?? "",
    phone: quote.contact_phone ?? "",
  });
  const [delivery, setDelivery] = useState(emptyDeliveryForm);
  const [problem, setProblem] = useState<Problem | null>(null);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (accepting) return;
    const found = number.trim()
      ? (findProblem(form) ?? findDeliveryProblem(delivery))
      : ({ field: PURCHASE_ORDER, message: PURCHASE_ORDER_MISSING } as const);
    setProblem(found);
    if (found) {
      showToast("error", found.message);
      const control = event.currentTarget.elements.namedItem(found.field);
      if (control instanceof HTMLElement) control.focus();
      return;
    }
    onAccept({
      purchaseOrderNumber: number.trim(),
      shippingAddress: shippingAddress(form),
      name: form.fullName.trim(),
      email: form.email.trim(),
      phone: form.phone.trim(),
      delivery: deliveryOf(delivery),
    });
  }

  return (
    <form noValidate onSubmit={submit} aria-labelledby="accept-quote">
      <h2 id="accept-quote" className="text-25">
        Accept this quote
      </h2>
      <p className="mt-1 text-15 text-muted">This places your order at the prices above.</p>
      <div className="mt-5 grid gap-5 sm:grid-cols-2">
        <InputField
          className="sm:col-span-2"
          label="Purchase order number"
          name={PURCHASE_ORDER}
          autoComplete="off"
          required
          maxLength={60}
          hint="Your school's own number for this order. We put it on the order."
          value={number}
          error={problem?.field === PURCHASE_ORDER ? problem.message : null}
          onChange={({ target }) => {
            setNumber(target.value);
            if (problem?.field === PURCHASE_ORDER) setProblem(null);
          }}
        />
        <ShippingFields
          form={form}
          problem={problem}
          onChange={(name, value) => {
            setForm((typed) => ({ ...typed, [name]: value }));
            if (problem?.field === name) setProblem(null);
          }}
        />
      </div>
      <div className="mt-5">
        <DeliveryFields
          form={delivery}
          problem={problem}
          onChange={(typed) => {
            setDelivery(typed);
            if (problem && problem.field in typed) setProblem(null);
          }}
        />
      </div>
      <Button type="submit" size="large" busy={accepting} className="mt-6 w-full sm:w-auto">
        {accepting ? "Placing your order…" : "Accept and Order"}
      </Button>
    </form>
  );
}
