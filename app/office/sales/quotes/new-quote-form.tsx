import { useState } from "react";
import { useNavigate } from "react-router";
import { Button } from "#app/components/button.tsx";
import { InputField } from "#app/components/field.tsx";
import type { FieldErrors } from "#app/components/use-form.ts";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import type { Caller } from "#app/office/frame/callers/caller.admin-queries.ts";
import { CallerChoice } from "#app/office/frame/callers/caller-choice.tsx";
import { useDuty } from "#app/office/frame/duties.tsx";
import { KeptNote } from "#app/office/frame/kept-note.tsx";
import { useKeptForm } from "#app/office/frame/use-kept.ts";
import { EMAIL_MALFORMED, isEmail } from "#shared/text/email.ts";
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

const noCaller = { caller: null };

/** Whom the quote is for; its books are added on its own page, which opens next. */
export function NewQuoteForm({ older }: { older: QuoteRecord | null }) {
  const navigate = useNavigate();
  const findsAccounts = useDuty("people");
  const [caller, setCaller] = useState<Caller | null>(null);
  const hasAccount = older ? older.user_id !== null : caller !== null;
  const begin = useAdminMutation({
    run: (client, { id, ...typed }: QuoteContact & { id: string }) =>
      beginQuote(client, { id, userId: caller?.id ?? null, copyOf: older?.id ?? null, ...typed }),
    success: () => ({
      title: "Quote created",
      description: hasAccount
        ? "The customer sees it once you send it."
        : "Once you send it, you can give the customer a link.",
    }),
    failure: "Failed to create the quote",
    onError: (error) => {
      kept.onRefused(error);
    },
    onSuccess: (_, { id }) => {
      kept.forget();
      void navigate(`/admin/quotes/${id}`);
    },
  });
  const { busy, setValues, field, formProps, kept } = useKeptForm<QuoteContact, { caller: Caller | null }>({
    kept: `quote new ${older?.id ?? ""}`,
    beside: {
      start: noCaller,
      values: { caller },
      restore: (typed) => typed.caller !== undefined && setCaller(typed.caller),
    },
    fields: {
      institution: older?.institution ?? "",
      contactName: older?.contact_name ?? "",
      email: older?.contact_email ?? "",
      phone: older?.contact_phone ?? "",
    },
    rules: (typed) => findErrors(typed, hasAccount),
    // The mutation shows why it failed.
    send: (typed, { attempt }) => begin.mutateAsync({ ...typed, id: attempt }).catch(() => undefined),
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
      <KeptNote kept={kept} className="" />
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
