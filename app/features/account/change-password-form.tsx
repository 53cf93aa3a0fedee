import { type ReactNode, useState } from "react";
import { PasswordField } from "#app/components/password-field.tsx";
import { showToast } from "#app/components/toast.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { isBackendFailure, logFailure } from "#app/lib/failure-message.ts";
import { changePassword, signIn } from "./account.queries.ts";
import { checkNewPassword, PASSWORD_MIN_LENGTH } from "./account-form.ts";
import { showAccountFailure } from "./show-account-failure.ts";

const FAILED = "Failed to change the password";

type ChangePasswordFormProps = {
  email: string;
  onDone: () => void;
  /** The buttons, once it is known whether a change is being sent. */
  children: (busy: boolean) => ReactNode;
};

/** Changes the signed-in user's own password, after checking the current one. */
export function ChangePasswordForm({ email, onDone, children }: ChangePasswordFormProps) {
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<{ current?: string; next?: string }>({});

  async function submit(form: HTMLFormElement) {
    const typed = new FormData(form);
    const current = String(typed.get("current") ?? "");
    const next = String(typed.get("next") ?? "");
    const wrong = {
      current: current === "" ? "Enter your current password" : undefined,
      next: checkNewPassword(next) ?? undefined,
    };
    setErrors(wrong);
    const first = wrong.current ? "current" : wrong.next ? "next" : null;
    if (first) return form.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
    setBusy(true);
    try {
      const backend = await getBackend();
      await signIn(backend, email, current);
      await changePassword(backend, next);
      showToast("success", "Your password has been changed");
      form.reset();
      onDone();
    } catch (error) {
      if (isBackendFailure(error) && error.code === "invalid_credentials") {
        // The sign-in's words, "Invalid login credentials", would not say which of the two passwords is wrong.
        logFailure(FAILED, error);
        setErrors({ current: "The current password is incorrect" });
        form.querySelector<HTMLInputElement>('[name="current"]')?.focus();
      } else showAccountFailure(FAILED, error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form
      noValidate
      method="post"
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void submit(event.currentTarget);
      }}
    >
      {/* Tells password managers whose password to save. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Current password"
        name="current"
        required
        autoComplete="current-password"
        error={errors.current}
      />
      <PasswordField
        label="New password"
        name="next"
        required
        autoComplete="new-password"
        hint={`At least ${PASSWORD_MIN_LENGTH} characters`}
        error={errors.next}
      />
      {children(busy)}
    </form>
  );
}
