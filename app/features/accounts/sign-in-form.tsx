import { useState } from "react";
import { Link } from "react-router";
import { PasswordField } from "#app/components/password-field.tsx";
import { showToast } from "#app/components/toast.ts";
import { signIn } from "./account.queries.ts";
import { authViewHref } from "./auth-view.ts";
import { EmailField } from "./email-field.tsx";
import { NOT_VERIFIED } from "./provider-failure.ts";
import { SubmitButton } from "./submit-button.tsx";
import { type Draft, useAccountForm } from "./use-account-form.ts";
import { VerificationNotice } from "./verification-notice.tsx";

/** Leads nowhere by itself: the page leaves for /shop once the session is there. */
export function SignInForm({ draft }: { draft: Draft }) {
  const [unverified, setUnverified] = useState<string | null>(null);
  const { errors, busy, formProps } = useAccountForm({
    fields: ["email", "password"],
    draft,
    send: (backend, { email, password }) => signIn(backend, email, password),
    failure: "Sign-in failed",
    onDone: () => showToast("success", "Welcome back!"),
    onRefused: (error, { email }) => {
      setUnverified(error.code === NOT_VERIFIED ? email : null);
      return false;
    },
  });
  return (
    <form {...formProps} className="grid gap-5">
      {unverified && <VerificationNotice email={unverified} reason="unverified" />}
      <EmailField defaultValue={draft.current.email} error={errors.email} autoComplete="username" />
      <div>
        <PasswordField
          label="Password"
          name="password"
          required
          autoComplete="current-password"
          error={errors.password}
        />
        <Link
          to={authViewHref("forgot-password")}
          className="-mb-3 inline-flex min-h-11 items-center text-15 font-semibold text-green underline"
        >
          Forgot password?
        </Link>
      </div>
      <SubmitButton busy={busy} busyLabel="Signing in…">
        Sign In
      </SubmitButton>
    </form>
  );
}
