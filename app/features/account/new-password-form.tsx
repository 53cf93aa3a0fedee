import { changePassword } from "./account.queries.ts";
import { checkNewPassword } from "./account-form.ts";
import { NewPasswordField } from "./new-password-field.tsx";
import { SubmitButton } from "./submit-button.tsx";
import { useAccountForm } from "./use-account-form.ts";

/** Sets a new password for the signed-in user. */
export function NewPasswordForm({ email, onChanged }: { email: string; onChanged: () => void }) {
  const { errors, busy, formProps } = useAccountForm({
    fields: ["password"],
    check: ({ password }) => {
      const tooShort = checkNewPassword(password);
      return tooShort ? { password: tooShort } : {};
    },
    send: (backend, { password }) => changePassword(backend, password),
    failure: "Failed to save the new password",
    onDone: onChanged,
  });
  return (
    <form {...formProps} className="grid gap-5">
      {/* Tells password managers whose password to save. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordField label="New password" error={errors.password} />
      <SubmitButton busy={busy} busyLabel="Saving…">
        Save new password
      </SubmitButton>
    </form>
  );
}
