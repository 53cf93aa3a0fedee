/** The shipping form in its order (spec section 3); `length` is what the database keeps of it at most. */
export const shippingFields = [
  { name: "fullName", label: "Full Name", type: "text", autoComplete: "name", required: true, length: 200 },
  { name: "email", label: "Email", type: "email", autoComplete: "email", required: true, length: 320 },
  { name: "phone", label: "Phone", type: "tel", autoComplete: "tel", required: true, length: 40 },
  {
    name: "address",
    label: "Address",
    type: "text",
    autoComplete: "street-address",
    required: true,
    length: 600,
  },
  { name: "city", label: "City", type: "text", autoComplete: "address-level2", required: true, length: 200 },
  {
    name: "postalCode",
    label: "Postal Code",
    type: "text",
    autoComplete: "postal-code",
    required: false,
    length: 100,
  },
] as const;

export type ShippingFieldName = (typeof shippingFields)[number]["name"];

export type ShippingForm = Record<ShippingFieldName, string>;

export const emptyShippingForm: ShippingForm = {
  fullName: "",
  email: "",
  phone: "",
  address: "",
  city: "",
  postalCode: "",
};

/** The first required field in form order that holds nothing but white space, or null. */
export function firstMissingField(form: ShippingForm): ShippingFieldName | null {
  return shippingFields.find(({ name, required }) => required && !form[name].trim())?.name ?? null;
}

/** 'Please fill in full name' */
export function fillInMessage(field: ShippingFieldName): string {
  return `Please fill in ${field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;
}

/** Address, city and postal code as one line, without what is empty. */
export function shippingAddress({ address, city, postalCode }: ShippingForm): string {
  return [address, city, postalCode]
    .map((part) => part.trim())
    .filter(Boolean)
    .join(", ");
}

/** Fills what is still empty and leaves alone what was typed. */
export function withDefaults(
  form: ShippingForm,
  defaults: Partial<Record<ShippingFieldName, string | null>>,
) {
  const filled = { ...form };
  for (const { name } of shippingFields)
    if (!filled[name].trim()) filled[name] = defaults[name] ?? form[name];
  return filled;
}
