import { type FormEvent, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { InputField } from "#app/components/field.tsx";
import { focusField } from "#app/components/focus-field.ts";
import { showToast } from "#app/components/toast.ts";
import { DeliveryFields } from "#app/features/delivery/delivery-fields.tsx";
import {
  type DeliveryProblem,
  emptyDeliveryForm,
  findDeliveryProblem,
  orderRules,
  orderTextsOf,
} from "#app/features/delivery/delivery-form.ts";
import { ShippingFields } from "#app/features/delivery/shipping-fields.tsx";
import { emptyShippingForm, type FieldProblem, findProblem } from "#app/features/delivery/shipping-form.ts";
import { plainTexts } from "#app/lib/order-fields.ts";
import type { Acceptance, OwnQuote } from "./quote.queries.ts";

/** The purchase order's number becomes the order's reference. */
const texts = plainTexts.filter(({ name }) => name !== "customer_reference");

type Problem = FieldProblem | DeliveryProblem;

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
    const found = findProblem(form) ?? findDeliveryProblem(delivery, orderRules());
    setProblem(found);
    if (found) {
      showToast("error", found.message);
      focusField(event.currentTarget, found.field);
      return;
    }
    onAccept({
      purchaseOrderNumber: number.trim(),
      texts: orderTextsOf(form, delivery),
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
          label="Purchase order number (optional)"
          name="purchaseOrderNumber"
          autoComplete="off"
          maxLength={60}
          hint="If your school has its own number for this order, we put it on the order and its documents."
          value={number}
          onChange={({ target }) => setNumber(target.value)}
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
          foldsOptional
          texts={texts}
          form={delivery}
          problem={problem}
          {...orderRules()}
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
