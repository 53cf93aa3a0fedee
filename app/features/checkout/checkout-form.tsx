import { type Dispatch, type FormEvent, type SetStateAction, useState } from "react";
import { focusField } from "#app/components/focus-field.ts";
import { showToast } from "#app/components/toast.ts";
import { findOwnProfile } from "#app/features/account/profile.queries.ts";
import { DeliveryFields } from "#app/features/delivery/delivery-fields.tsx";
import {
  type DeliveryForm,
  type DeliveryProblem,
  findDeliveryProblem,
  orderRules,
  withRemembered,
} from "#app/features/delivery/delivery-form.ts";
import { ShippingFields } from "#app/features/delivery/shipping-fields.tsx";
import {
  type FieldProblem,
  findProblem,
  type ShippingFieldName,
  type ShippingForm,
  withDefaults,
} from "#app/features/delivery/shipping-form.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { logFailure } from "#app/lib/failure-message.ts";
import { useRead } from "#app/lib/use-read.ts";
import { type CheckoutDraft, changeDraft } from "./checkout-draft.ts";

type CheckoutFormProps = {
  /** For the submit button, which is elsewhere on the page. */
  id: string;
  draft: CheckoutDraft;
  delivery: DeliveryForm;
  onDelivery: Dispatch<SetStateAction<DeliveryForm>>;
  onSubmit: (form: ShippingForm) => void;
};

/** No default for the focused field: it would run together with what the customer is typing. */
function focusedField(): Partial<Record<string, null>> {
  const { activeElement } = document;
  return activeElement instanceof HTMLInputElement ? { [activeElement.name]: null } : {};
}

/** The shipping form. Prefilled from the profile; what is typed is kept in this tab until the order is placed. */
export function CheckoutForm({ id, draft, delivery, onDelivery, onSubmit }: CheckoutFormProps) {
  const [form, setForm] = useState(draft.form);
  const [problem, setProblem] = useState<FieldProblem | DeliveryProblem | null>(null);

  useRead(draft.userId, async () => findOwnProfile(await getBackend(), draft.userId), {
    onResult(profile) {
      if (!profile) return;
      const { full_name: fullName, postal_code: postalCode, email, phone, address, city } = profile;
      const known = { fullName, email, phone, address, city, postalCode };
      setForm((typed) => withDefaults(typed, { ...known, ...focusedField() }));
      onDelivery((typed) => withRemembered(typed, profile));
    },
    onFailure: (error) => logFailure("Failed to read the profile", error),
  });

  function change(name: ShippingFieldName, value: string) {
    const next = { ...form, [name]: value };
    setForm(next);
    if (problem?.field === name) setProblem(null);
    changeDraft(draft, { form: next });
  }

  function changeDelivery(next: DeliveryForm) {
    onDelivery(next);
    if (problem && problem.field in next) setProblem(null);
    changeDraft(draft, { delivery: next });
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const found = findProblem(form) ?? findDeliveryProblem(delivery, orderRules());
    setProblem(found);
    if (!found) {
      onSubmit(form);
      return;
    }
    showToast("error", found.message);
    focusField(event.currentTarget, found.field);
  }

  return (
    <form id={id} noValidate onSubmit={submit} aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`} className="text-25">
        Shipping Information
      </h2>
      <div className="mt-5 grid gap-5 sm:grid-cols-2">
        <ShippingFields form={form} problem={problem} onChange={change} />
      </div>
      <div className="mt-5">
        <DeliveryFields
          foldsOptional
          {...orderRules()}
          form={delivery}
          problem={problem}
          onChange={changeDelivery}
        />
      </div>
    </form>
  );
}
