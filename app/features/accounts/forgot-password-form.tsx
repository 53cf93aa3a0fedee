import { useState } from "react";
import { Link } from "react-router";
import { Callout } from "#app/components/callout.tsx";
import { requestPasswordReset } from "./account.queries.ts";
import { authViewHref } from "./auth-view.ts";
import { EmailField } from "./email-field.tsx";
import { isMailTooSoon } from "./provider-failure.ts";
import { SubmitButton } from "./submit-button.tsx";
import { type Draft, useAccountForm } from "./use-account-form.ts";

/** Asks for the mail that allows to choose a new password. The answer tells nobody whether an account exists. */
export function ForgotPasswordForm({ draft }: { draft: Draft }) {
  const [askedFor, setAskedFor] = useState<string | null>(null);
  const { errors, busy, formProps } = useAccountForm({
    fields: ["email"],
    draft,
    send: async (backend, { email }) => {
      const error = await requestPasswordReset(backend, email, window.location.origin);
      return error && isMailTooSoon(error) ? null : error;
    },
    failure: "The password mail was not sent",
    onDone: ({ email }) => setAskedFor(email),
  });
  return (
    <form {...formProps} className="grid gap-5">
      {askedFor ? (
        <Callout tone="success">
          If <strong className="wrap-anywhere">{askedFor}</strong> has an account here, a mail with a link is
          on its way. It can take a minute; please look in the spam folder too before you ask again.
        </Callout>
      ) : (
        <p className="text-muted">
          Tell us the email of your account. We send a link that lets you choose a new password.
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
