import { Button } from "#app/components/button.tsx";
import { InputField } from "#app/components/field.tsx";
import { showToast } from "#app/components/toast.ts";
import { type FieldErrors, useForm } from "#app/components/use-form.ts";
import { DeliveryFields } from "#app/features/delivery/delivery-fields.tsx";
import {
  type DeliveryForm,
  emptyDeliveryForm,
  errorsOf,
  findDeliveryProblem,
  rememberedOf,
  withRemembered,
} from "#app/features/delivery/delivery-form.ts";
import { shippingFields } from "#app/features/delivery/shipping-form.ts";
import { shownCopies } from "#app/features/offline/saved-copy.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { customerMessage, logFailure } from "#app/lib/backend/failure-message.ts";
import { requireConnection } from "#app/lib/browser/offline.ts";
import { useStore } from "#app/lib/react/create-store.ts";
import { plainTexts } from "#shared/orders/order-fields.ts";
import { isPhone, PHONE_MALFORMED } from "#shared/text/phone.ts";
import { type OwnProfile, updateOwnProfile } from "./profile.queries.ts";

const FAILED = "Failed to save your details";
/** Shown for a saved copy, because the details may have been changed on another device since. */
const READ_AGAIN =
  "These are the details we saved earlier. Reload the page when you're online, then change them.";

/** The saved copy of the details. */
export const PROFILE_COPY = "profile";

/** The email is the account's, and has a form of its own. */
const fields = shippingFields.filter((field) => field.column !== "email");
const texts = plainTexts.filter(({ remembered }) => remembered);

type Details = Record<(typeof fields)[number]["column"], string> & DeliveryForm;

function findErrors(details: Details): FieldErrors<Details> {
  if (!details.full_name.trim()) return { full_name: "Please enter your name." };
  if (details.phone.trim() && !isPhone(details.phone)) return { phone: PHONE_MALFORMED };
  return errorsOf(findDeliveryProblem(details));
}

const detailsOf = (profile: OwnProfile): Details =>
  withRemembered(
    {
      ...(Object.fromEntries(fields.map(({ column }) => [column, profile[column] ?? ""])) as Details),
      ...emptyDeliveryForm,
    },
    profile,
  );

/** The customer's name and delivery address, with which the checkout starts. */
export function DetailsForm({ userId, profile }: { userId: string; profile: OwnProfile }) {
  const isSaved = useStore(shownCopies, (copies) => PROFILE_COPY in copies);
  const form = useForm({
    fields: detailsOf(profile),
    rules: findErrors,
    async send(details) {
      if (isSaved) {
        showToast("error", FAILED, { description: READ_AGAIN });
        return;
      }
      try {
        requireConnection();
        const texts = fields.map(({ column }) => [column, details[column].trim() || null]);
        await updateOwnProfile(await getBackend(), userId, {
          ...Object.fromEntries(texts),
          ...rememberedOf(details),
        });
        showToast("success", "Your details have been saved");
      } catch (error) {
        logFailure(FAILED, error);
        showToast("error", FAILED, { description: customerMessage(error) ?? undefined });
      }
    },
  });

  return (
    <form {...form.formProps} className="grid gap-5 sm:grid-cols-2">
      {fields.map(({ column: name, label, length, type, autoComplete }) => (
        <InputField
          key={name}
          className={name === "address" ? "sm:col-span-2" : ""}
          label={name === "full_name" ? label : `${label} (optional)`}
          maxLength={length}
          {...form.field(name)}
          type={type}
          autoComplete={autoComplete}
        />
      ))}
      <div className="sm:col-span-2">
        <DeliveryFields form={form} texts={texts} foldsOptional />
      </div>
      <Button type="submit" busy={form.busy} className="sm:col-span-2 sm:justify-self-start">
        {form.busy ? "Saving…" : "Save Details"}
      </Button>
    </form>
  );
}
