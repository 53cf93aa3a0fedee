import { InputField } from "#app/components/field.tsx";

type EmailFieldProps = {
  label?: string;
  defaultValue?: string;
  error?: string | null;
  autoComplete: "username" | "email";
};

/** The email field of every account form; password managers use it as the username. */
export function EmailField(props: EmailFieldProps) {
  return (
    <InputField
      label="Email"
      name="email"
      type="email"
      required
      maxLength={254}
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  );
}
