import { type FormEvent, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { InputField } from "#app/components/field.tsx";
import { focusField } from "#app/components/focus-field.ts";
import { showToast } from "#app/components/toast.ts";
import { DeliveryFields } from "#app/features/delivery/delivery-fields.tsx";
import {
  emptyDeliveryForm,
  findDeliveryProblem,
  rememberedOf,
  withRemembered,
} from "#app/features/delivery/delivery-form.ts";
import { isPhone, PHONE_MALFORMED } from "#app/features/delivery/phone.ts";
import { shippingFields } from "#app/features/delivery/shipping-form.ts";
import { shownCopies } from "#app/features/offline/saved-copy.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { useStore } from "#app/lib/create-store.ts";
import { customerMessage, logFailure } from "#app/lib/failure-message.ts";
import { requireConnection } from "#app/lib/offline.ts";
import { plainTexts } from "#app/lib/order-fields.ts";
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

type FieldName = (typeof fields)[number]["column"];
type Problem = { field: string; message: string };

function findProblem(typed: Record<FieldName, string>): Problem | null {
  if (!typed.full_name.trim()) return { field: "full_name", message: "Please enter your name." };
  if (typed.phone.trim() && !isPhone(typed.phone)) return { field: "phone", message: PHONE_MALFORMED };
  return null;
}

/** The customer's name and delivery address, with which the checkout starts. */
export function DetailsForm({ userId, profile }: { userId: string; profile: OwnProfile }) {
  const [typed, setTyped] = useState(
    () =>
      Object.fromEntries(fields.map(({ column }) => [column, profile[column] ?? ""])) as Record<
        FieldName,
        string
      >,
  );
  const [delivery, setDelivery] = useState(() => withRemembered(emptyDeliveryForm, profile));
  const isSaved = useStore(shownCopies, (copies) => PROFILE_COPY in copies);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);

  async function save(form: HTMLFormElement) {
    const found = findProblem(typed) ?? findDeliveryProblem(delivery);
    setProblem(found);
    if (found) {
      focusField(form, found.field);
      return;
    }
    if (isSaved) {
      showToast("error", FAILED, { description: READ_AGAIN });
      return;
    }
    setBusy(true);
    try {
      requireConnection();
      const changes = fields.map(({ column }) => [column, typed[column].trim() || null]);
      await updateOwnProfile(await getBackend(), userId, {
        ...Object.fromEntries(changes),
        ...rememberedOf(delivery),
      });
      showToast("success", "Your details have been saved");
    } catch (error) {
      logFailure(FAILED, error);
      showToast("error", FAILED, { description: customerMessage(error) ?? undefined });
    } finally {
      setBusy(false);
    }
  }

  return (
    <form
      noValidate
      className="grid gap-5 sm:grid-cols-2"
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault();
        if (!busy) void save(event.currentTarget);
      }}
    >
      {fields.map(({ column: name, label, length, type, autoComplete }) => (
        <InputField
          key={name}
          className={name === "address" ? "sm:col-span-2" : ""}
          label={name === "full_name" ? label : `${label} (optional)`}
          name={name}
          maxLength={length}
          value={typed[name]}
          error={problem?.field === name ? problem.message : null}
          onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
          type={type}
          autoComplete={autoComplete}
        />
      ))}
      <div className="sm:col-span-2">
        <DeliveryFields form={delivery} problem={problem} onChange={setDelivery} texts={texts} />
      </div>
      <Button type="submit" busy={busy} className="sm:col-span-2 sm:justify-self-start">
        {busy ? "Saving…" : "Save Details"}
      </Button>
    </form>
  );
}
