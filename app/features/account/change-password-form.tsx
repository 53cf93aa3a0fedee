import type { ReactNode } from "react";
import { PasswordField } from "#app/components/password-field.tsx";
import { showToast } from "#app/components/toast.ts";
import { useForm } from "#app/components/use-form.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { isBackendFailure, logFailure } from "#app/lib/backend/failure-message.ts";
import { changePassword } from "./account.queries.ts";
import { checkNewPassword, PASSWORD_MIN_LENGTH } from "./account-form.ts";
import { checkPassword } from "./second-step.queries.ts";
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
  const { errors, busy, formProps } = useForm({
    fields: { current: "", next: "" },
    rules: ({ current, next }) => ({
      current: current === "" ? "Enter your current password" : null,
      next: checkNewPassword(next),
    }),
    async send({ current, next }, form, refuse) {
      try {
        await checkPassword(email, current);
        await changePassword(await getBackend(), next);
        showToast("success", "Your password has been changed");
        form.reset();
        onDone();
      } catch (error) {
        if (isBackendFailure(error) && error.code === "invalid_credentials") {
          // The sign-in's words, "Invalid login credentials", would not say which of the two passwords is wrong.
          logFailure(FAILED, error);
          refuse({ current: "The current password is incorrect" });
        } else showAccountFailure(FAILED, error);
      }
    },
  });

  return (
    <form {...formProps} method="post" className="grid gap-4">
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
