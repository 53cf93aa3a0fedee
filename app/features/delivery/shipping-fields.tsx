import { InputField } from "#app/components/field.tsx";
import { findMalformed, type ShippingFieldName, type ShippingForm, shippingFields } from "./shipping-form.ts";
import { useLeftFields } from "./use-left-fields.ts";

type ShippingFieldsProps = {
  form: ShippingForm;
  problem: { field: string; message: string } | null;
  onChange: (name: ShippingFieldName, value: string) => void;
};

const wide: readonly ShippingFieldName[] = ["fullName", "address"];

/** Who receives the order and where, for a grid of two columns. A malformed text is marked once its field is left. */
export function ShippingFields({ form, problem, onChange }: ShippingFieldsProps) {
  const { isLeft, handlersOf } = useLeftFields();

  function errorOf(name: ShippingFieldName): string | null {
    if (problem?.field === name) return problem.message;
    return isLeft(name) ? findMalformed(name, form[name]) : null;
  }

  return shippingFields.map(({ name, label, type, autoComplete, required, length }) => (
    <InputField
      key={name}
      className={wide.includes(name) ? "sm:col-span-2" : ""}
      label={required ? label : `${label} (optional)`}
      name={name}
      type={type}
      autoComplete={`shipping ${autoComplete}`}
      required={required}
      maxLength={length}
      value={form[name]}
      error={errorOf(name)}
      onChange={({ target }) => onChange(name, target.value)}
      {...handlersOf(name)}
    />
  ));
}
