import { useState } from "react";
import { Link } from "react-router";
import { PasswordField } from "#app/components/password-field.tsx";
import { showToast } from "#app/components/toast.ts";
import { NOT_VERIFIED, signIn } from "./account.queries.ts";
import { authViewHref } from "./auth-view.ts";
import { EmailField } from "./email-field.tsx";
import { startSigningIn } from "./return-from-sign-in.ts";
import { SubmitButton } from "./submit-button.tsx";
import { type Draft, useAccountForm } from "./use-account-form.ts";
import { VerificationNotice } from "./verification-notice.tsx";

/** Does not navigate: the page is left once the session is known. */
export function SignInForm({ draft }: { draft: Draft }) {
  const [unverified, setUnverified] = useState<string | null>(null);
  const { errors, busy, formProps } = useAccountForm({
    fields: ["email", "password"],
    draft,
    send: (backend, { email, password }) => {
      startSigningIn();
      return signIn(backend, email, password);
    },
    failure: "Sign-in failed",
    onDone: () => showToast("success", "Welcome back!"),
    onRefused: ({ code }, { email }) => setUnverified(code === NOT_VERIFIED ? email : null),
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
