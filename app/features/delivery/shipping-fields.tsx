import { InputField } from "#app/components/field.tsx";
import type { FormPart } from "#app/components/use-form.ts";
import { findMalformed, type ShippingFieldName, type ShippingForm, shippingFields } from "./shipping-form.ts";
import { useBlurredFields } from "./use-blurred-fields.ts";

const wide: readonly ShippingFieldName[] = ["fullName", "address"];

/** Who receives the order and where, for a grid of two columns. A malformed text is marked once its field loses focus. */
export function ShippingFields({ form }: { form: FormPart<ShippingForm> }) {
  const { isBlurred, handlersOf } = useBlurredFields();

  return shippingFields.map(({ name, label, type, autoComplete, required, length }) => {
    const field = form.field(name);
    return (
      <InputField
        key={name}
        className={wide.includes(name) ? "sm:col-span-2" : ""}
        label={required ? label : `${label} (optional)`}
        type={type}
        autoComplete={`shipping ${autoComplete}`}
        required={required}
        maxLength={length}
        {...field}
        {...handlersOf(name)}
        error={field.error ?? (isBlurred(name) ? findMalformed(name, field.value) : null)}
      />
    );
  });
}
