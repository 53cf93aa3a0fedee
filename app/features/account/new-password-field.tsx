import { PasswordField } from "#app/components/password-field.tsx";
import { PASSWORD_MIN_LENGTH } from "./account-form.ts";

/** A field for a new password: password managers suggest one, and the hint states the rule. */
export function NewPasswordField({ label, error }: { label: string; error?: string | null }) {
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
