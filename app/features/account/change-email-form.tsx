import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { changeEmail } from "./account.queries.ts";
import { EmailField } from "./email-field.tsx";
import { useAccountForm } from "./use-account-form.ts";

/** Requests a new email address, which takes effect once the link sent to it has been followed. */
export function ChangeEmailForm({ email }: { email: string }) {
  const [requested, setRequested] = useState<string | null>(null);
  const { errors, busy, formProps } = useAccountForm({
    fields: ["email"],
    check: (values) =>
      values.email.toLowerCase() === email.toLowerCase() ? { email: "This is your email address now." } : {},
    send: (backend, values) => changeEmail(backend, values.email, window.location.origin),
    failure: "Failed to change the email address",
    onDone: (values, form) => {
      setRequested(values.email);
      form.reset();
    },
  });
  return (
    <form {...formProps} className="grid gap-5">
      <p className="wrap-anywhere">
        You sign in with <b>{email}</b>.
      </p>
      {requested && (
        <Callout tone="success">
          <span className="wrap-anywhere">
            We've sent an email to {requested}. Follow its link to start using this address.
          </span>
        </Callout>
      )}
      <EmailField label="New email" error={errors.email} autoComplete="email" />
      <Button type="submit" variant="secondary" busy={busy} className="sm:justify-self-start">
        {busy ? "Sending…" : "Change Email"}
      </Button>
    </form>
  );
}
