import { InputField } from "#app/components/field.tsx";

type EmailFieldProps = { defaultValue?: string; error?: string; autoComplete: "username" | "email" };

/** The e-mail of every form for accounts; password managers take it for the account's name. */
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
