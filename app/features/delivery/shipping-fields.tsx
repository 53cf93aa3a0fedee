import { InputField } from "#app/components/field.tsx";
import type { FormPart } from "#app/components/use-form.ts";
import {
  findMalformed,
  isAddressField,
  type ShippingFieldName,
  type ShippingForm,
  shippingFields,
} from "./shipping-form.ts";
import { useBlurredFields } from "./use-blurred-fields.ts";

const wide: readonly ShippingFieldName[] = ["fullName", "address"];

type ShippingFieldsProps = { form: FormPart<ShippingForm> };

/** Who receives the order and where, for a grid of two columns. A malformed text is marked once its field loses focus. */
export const ShippingFields = ({ form }: ShippingFieldsProps) => (
  <FieldsOf form={form} fields={shippingFields} />
);

/** The same without an address, for what is downloaded. */
export const DownloadFields = ({ form }: ShippingFieldsProps) => (
  <FieldsOf form={form} fields={shippingFields.filter(({ name }) => !isAddressField(name))} />
);

type FieldsOfProps = ShippingFieldsProps & { fields: readonly (typeof shippingFields)[number][] };

function FieldsOf({ form, fields }: FieldsOfProps) {
  const { isBlurred, handlersOf } = useBlurredFields();

  return fields.map(({ name, label, type, autoComplete, required, length }) => {
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
