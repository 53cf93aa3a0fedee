import { InputField } from "#app/components/field.tsx";
import { type ShippingFieldName, type ShippingForm, shippingFields } from "./shipping-form.ts";

type ShippingFieldsProps = {
  form: ShippingForm;
  problem: { field: string; message: string } | null;
  onChange: (name: ShippingFieldName, value: string) => void;
};

const wide: readonly ShippingFieldName[] = ["fullName", "address"];

/** Who receives the order and where, for a grid of two columns. */
export function ShippingFields({ form, problem, onChange }: ShippingFieldsProps) {
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
      error={problem?.field === name ? problem.message : null}
      onChange={({ target }) => onChange(name, target.value)}
    />
  ));
}
