import { showToast } from "#app/components/toast.ts";
import { useForm } from "#app/components/use-form.ts";
import { findOwnProfile } from "#app/features/account/profile.queries.ts";
import {
  asOrdered,
  findOrderErrors,
  type OrderForm,
  withRemembered,
} from "#app/features/delivery/delivery-form.ts";
import { withDefaults } from "#app/features/delivery/shipping-form.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { useRead } from "#app/lib/react/use-read.ts";
import { type CheckoutDraft, changeDraft } from "./checkout-draft.ts";

/** No default for the focused field: it would run together with what the customer is typing. */
function focusedField(): Partial<Record<string, null>> {
  const { activeElement } = document;
  return activeElement instanceof HTMLInputElement ? { [activeElement.name]: null } : {};
}

/**
 * The shipping form, prefilled from the profile; what is typed is stored in this tab until the order is placed.
 * @param isDownloaded whether nothing has to be delivered: delivery fields keep their input, but aren't validated
 */
export function useCheckoutForm(
  draft: CheckoutDraft,
  isDownloaded: boolean,
  send: (form: OrderForm) => Promise<void>,
) {
  const form = useForm({
    fields: draft.form,
    rules: (typed) => findOrderErrors(asOrdered(typed, isDownloaded)),
    onInvalid: (errors) => showToast("error", Object.values(errors).join()),
    onChange: (values) => changeDraft(draft, { form: values }),
    send,
  });

  useRead(draft.userId, async () => findOwnProfile(await getBackend(), draft.userId), {
    onResult(profile) {
      if (!profile) return;
      const { full_name: fullName, postal_code: postalCode, email, phone, address, city } = profile;
      const defaults = { fullName, email, phone, address, city, postalCode, ...focusedField() };
      form.setValues((typed) => withRemembered(withDefaults(typed, defaults), profile));
    },
    onFailure: (error) => logFailure("Failed to read the profile", error),
  });

  return form;
}
