import { useState } from "react";
import { useNavigate } from "react-router";
import { Button } from "#app/components/button.tsx";
import { InputField } from "#app/components/field.tsx";
import { type FieldErrors, useForm } from "#app/components/use-form.ts";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import type { Caller } from "#app/office/frame/callers/caller.admin-queries.ts";
import { CallerChoice } from "#app/office/frame/callers/caller-choice.tsx";
import { useDuty } from "#app/office/frame/duties.tsx";
import { EMAIL_MALFORMED, isEmail } from "#shared/text/email.ts";
import { newUuid } from "#shared/text/new-uuid.ts";
import { isPhone, PHONE_MALFORMED } from "#shared/text/phone.ts";
import { beginQuote, type QuoteContact, type QuoteRecord } from "./quote.admin-queries.ts";

/** `length` is the database's limit. */
const fields = [
  { name: "institution", label: "School, institution or person", type: "text", length: 200 },
  { name: "contactName", label: "Contact person", type: "text", length: 200 },
  { name: "email", label: "Email", type: "email", length: 320 },
  { name: "phone", label: "Phone", type: "tel", length: 40 },
] as const;

function findErrors(typed: QuoteContact, hasAccount: boolean): FieldErrors<QuoteContact> {
  const missing = fields.find(({ name }) => !typed[name].trim() && (hasAccount || name !== "email"));
  if (missing) return { [missing.name]: `Please fill in ${missing.label.toLowerCase()}` };
  if (typed.email.trim() && !isEmail(typed.email.trim())) return { email: EMAIL_MALFORMED };
  return isPhone(typed.phone) ? {} : { phone: PHONE_MALFORMED };
}

/** Whom the quote is for; its books are added on its own page, which opens next. */
export function NewQuoteForm({ older }: { older: QuoteRecord | null }) {
  const navigate = useNavigate();
  const findsAccounts = useDuty("people");
  // The same for every attempt, so that a retry does not begin a second quote.
  const [id] = useState(newUuid);
  const [caller, setCaller] = useState<Caller | null>(null);
  const hasAccount = older ? older.user_id !== null : caller !== null;
  const begin = useAdminMutation({
    run: (client, typed: QuoteContact) =>
      beginQuote(client, { id, userId: caller?.id ?? null, copyOf: older?.id ?? null, ...typed }),
    success: () => ({
      title: "Quote created",
      description: hasAccount
        ? "The customer sees it once you send it."
        : "Once you send it, you can give the customer a link.",
    }),
    failure: "Failed to create the quote",
    onSuccess: () => void navigate(`/admin/quotes/${id}`),
  });
  const { busy, setValues, field, formProps } = useForm<QuoteContact>({
    fields: {
      institution: older?.institution ?? "",
      contactName: older?.contact_name ?? "",
      email: older?.contact_email ?? "",
      phone: older?.contact_phone ?? "",
    },
    rules: (typed) => findErrors(typed, hasAccount),
    // The mutation shows why it failed.
    send: (typed) => begin.mutateAsync(typed).catch(() => undefined),
  });

  function choose(chosen: Caller | null) {
    setCaller(chosen);
    // Another account's details must not stay.
    setValues((now) => ({
      ...now,
      contactName: chosen?.full_name ?? "",
      email: chosen?.email ?? "",
      phone: chosen?.phone ?? "",
    }));
  }

  return (
    <div className="flex max-w-2xl flex-col gap-6">
      {!older && findsAccounts && <CallerChoice caller={caller} onChoose={choose} />}
      {!older && !findsAccounts && (
        <p className="text-muted">
          The quote is for a customer without an account. To choose an account, you need the duty People.
        </p>
      )}
      <form {...formProps} aria-label="Whom the quote is for">
        <div className="grid gap-4 sm:grid-cols-2">
          {fields.map(({ name, label, type, length }) => {
            const isOptional = name === "email" && !hasAccount;
            return (
              <InputField
                key={name}
                label={isOptional ? `${label} (optional)` : label}
                type={type}
                autoComplete="off"
                maxLength={length}
                required={!isOptional}
                {...field(name)}
              />
            );
          })}
        </div>
        <Button type="submit" className="mt-5" busy={busy}>
          Create Quote
        </Button>
      </form>
    </div>
  );
}
