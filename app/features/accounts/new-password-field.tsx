import { PasswordField } from "#app/components/password-field.tsx";
import { PASSWORD_MIN_LENGTH } from "./account-form.ts";

/** A password that is being chosen: managers offer one of theirs, and the rule for it is told beforehand. */
export function NewPasswordField({ label, error }: { label: string; error?: string }) {
  return (
    <PasswordField
      label={label}
      name="password"
      required
      minLength={PASSWORD_MIN_LENGTH}
      autoComplete="new-password"
      hint={`At least ${PASSWORD_MIN_LENGTH} characters`}
      error={error}
    />
  );
}
