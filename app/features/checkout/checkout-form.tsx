import { type FormEvent, useEffect, useState } from "react";
import { InputField } from "#app/components/field.tsx";
import { showToast } from "#app/components/toast.ts";
import { findOwnProfile } from "#app/features/customers/profile.queries.ts";
import { getBackend } from "#app/features/session/session-store.ts";
import { logFailure } from "#app/lib/backend-failure.ts";
import { type CheckoutDraft, changeDraft } from "./checkout-draft.ts";
import {
  fillInMessage,
  firstMissingField,
  type ShippingFieldName,
  type ShippingForm,
  shippingFields,
  withDefaults,
} from "./shipping-form.ts";

type CheckoutFormProps = {
  /** The form's id: its button stands elsewhere on the page. */
  id: string;
  draft: CheckoutDraft;
  onSubmit: (form: ShippingForm) => void;
};

const wide: readonly ShippingFieldName[] = ["fullName", "address"];

/** Where the books go. Filled in from the profile; what is typed is kept in this tab until the order stands. */
export function CheckoutForm({ id, draft, onSubmit }: CheckoutFormProps) {
  const [form, setForm] = useState(draft.form);
  const [missing, setMissing] = useState<ShippingFieldName | null>(null);

  useEffect(() => {
    let current = true;
    getBackend()
      .then((client) => findOwnProfile(client, draft.userId))
      .then((profile) => {
        if (!current || !profile) return;
        const { full_name: fullName, email, phone } = profile;
        setForm((typed) => withDefaults(typed, { fullName, email, phone }));
      })
      .catch((error) => logFailure("Failed to read the profile", error));
    return () => {
      current = false;
    };
  }, [draft.userId]);

  function change(name: ShippingFieldName, value: string) {
    const next = { ...form, [name]: value };
    setForm(next);
    if (missing === name) setMissing(null);
    changeDraft(draft, { form: next });
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const field = firstMissingField(form);
    setMissing(field);
    if (!field) {
      onSubmit(form);
      return;
    }
    showToast("error", fillInMessage(field));
    const control = event.currentTarget.elements.namedItem(field);
    if (control instanceof HTMLElement) control.focus();
  }

  return (
    <form id={id} noValidate onSubmit={submit} aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`} className="text-25">
        Shipping Information
      </h2>
      <div className="mt-5 grid gap-5 sm:grid-cols-2">
        {shippingFields.map(({ name, label, type, autoComplete, required, length }) => (
          <InputField
            key={name}
            className={wide.includes(name) ? "sm:col-span-2" : ""}
            label={required ? label : `${label} (optional)`}
            name={name}
            type={type}
            autoComplete={`shipping ${autoComplete}`}
            required={required}
            maxLength={length}
            value={form[name]}
            error={missing === name ? fillInMessage(name) : null}
            onChange={(event) => change(name, event.target.value)}
          />
        ))}
      </div>
    </form>
  );
}
