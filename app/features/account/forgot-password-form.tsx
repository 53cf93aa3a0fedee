import { useState } from "react";
import { Link } from "react-router";
import { Callout } from "#app/components/callout.tsx";
import { requestPasswordReset } from "./account.queries.ts";
import { authViewHref } from "./auth-view.ts";
import { EmailField } from "./email-field.tsx";
import { SubmitButton } from "./submit-button.tsx";
import { type Draft, useAccountForm } from "./use-account-form.ts";

/** Requests the email for choosing a new password. The response never reveals whether an account exists. */
export function ForgotPasswordForm({ draft }: { draft: Draft }) {
  const [askedFor, setAskedFor] = useState<string | null>(null);
  const { errors, busy, formProps } = useAccountForm({
    fields: ["email"],
    draft,
    send: (backend, { email }) => requestPasswordReset(backend, email, window.location.origin),
    failure: "Failed to send the password email",
    onDone: ({ email }) => setAskedFor(email),
  });
  return (
    <form {...formProps} className="grid gap-5">
      {askedFor ? (
        <Callout tone="success">
          If <strong className="wrap-anywhere">{askedFor}</strong> has an account here, we've emailed you a
          link. It can take a minute. Please check your spam folder too before you try again.
        </Callout>
      ) : (
        <p className="text-muted">
          Enter your account's email address and we'll send you a link to choose a new password.
        </p>
      )}
      <EmailField defaultValue={draft.current.email} error={errors.email} autoComplete="username" />
      <SubmitButton busy={busy} busyLabel="Sending…">
        Send the link
      </SubmitButton>
      <Link
        to={authViewHref("sign-in")}
        className="inline-flex min-h-11 items-center justify-self-start text-15 font-semibold text-green underline"
      >
        Back to Sign In
      </Link>
    </form>
  );
}
