import { orderTextLimits } from "#shared/orders/order-fields.ts";
import { EMAIL_MALFORMED, isEmail } from "#shared/text/email.ts";
import { isPhone, PHONE_MALFORMED } from "#shared/text/phone.ts";

/**
 * The shipping form in its order (spec section 3); `length` is the database's limit, `column` the profile's. Address,
 * city and postal code become the order's one line.
 */
export const shippingFields = [
  {
    name: "fullName",
    column: "full_name",
    label: "Full Name",
    type: "text",
    autoComplete: "name",
    required: true,
    length: orderTextLimits.recipient_name,
  },
  {
    name: "email",
    column: "email",
    label: "Email",
    type: "email",
    autoComplete: "email",
    required: true,
    length: orderTextLimits.recipient_email,
  },
  {
    name: "phone",
    column: "phone",
    label: "Phone",
    type: "tel",
    autoComplete: "tel",
    required: true,
    length: orderTextLimits.recipient_phone,
  },
  {
    name: "address",
    column: "address",
    label: "Address",
    type: "text",
    autoComplete: "street-address",
    required: true,
    length: 600,
  },
  {
    name: "city",
    column: "city",
    label: "City",
    type: "text",
    autoComplete: "address-level2",
    required: true,
    length: 200,
  },
  {
    name: "postalCode",
    column: "postal_code",
    label: "Postal Code",
    type: "text",
    autoComplete: "postal-code",
    required: false,
    length: 100,
  },
] as const;

export type ShippingFieldName = (typeof shippingFields)[number]["name"];

export type ShippingForm = Record<ShippingFieldName, string>;

export const emptyShippingForm = Object.fromEntries(
  shippingFields.map(({ name }) => [name, ""]),
) as ShippingForm;

/** The destination of a downloaded order. */
export const noAddress = { address: "", city: "", postalCode: "" } as const;

export const isAddressField = (name: ShippingFieldName): boolean => Object.hasOwn(noAddress, name);

/** The first required field, in form order, that is empty or white space; or null. */
export function firstMissingField(form: ShippingForm, hasAddress = true): ShippingFieldName | null {
  const missing = shippingFields.find(
    ({ name, required }) => required && (hasAddress || !isAddressField(name)) && !form[name].trim(),
  );
  return missing?.name ?? null;
}

type FieldProblem = { field: ShippingFieldName; message: string };

/** What is wrong with a field's text; null for a valid or an empty one. */
export function findMalformed(field: ShippingFieldName, text: string): string | null {
  if (!text.trim()) return null;
  if (field === "email" && !isEmail(text.trim())) return EMAIL_MALFORMED;
  if (field === "phone" && !isPhone(text)) return PHONE_MALFORMED;
  return null;
}

/** The first problem with the form, missing fields before malformed ones; null when there is none. */
export function findProblem(form: ShippingForm, hasAddress = true): FieldProblem | null {
  const missing = firstMissingField(form, hasAddress);
  if (missing) return { field: missing, message: fillInMessage(missing) };
  for (const { name: field } of shippingFields) {
    const message = findMalformed(field, form[field]);
    if (message) return { field, message };
  }
  return null;
}

/** 'Please fill in full name' */
export function fillInMessage(field: ShippingFieldName): string {
  return `Please fill in ${field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;
}

/** Address, city and postal code on one line, without empty parts. */
export function shippingAddress({ address, city, postalCode }: ShippingForm): string {
  return [address, city, postalCode]
    .map((part) => part.trim())
    .filter(Boolean)
    .join(", ");
}

/** What the profile remembers for the next order; without an address, the earlier one stays. */
export function addressOf({ phone, address, city, postalCode }: ShippingForm) {
  if (!address) return { phone: phone.trim() };
  return {
    phone: phone.trim(),
    address: address.trim(),
    city: city.trim(),
    postal_code: postalCode.trim() || null,
  };
}

/** Fills empty fields and keeps what was typed. */
export function withDefaults<Form extends ShippingForm>(
  form: Form,
  defaults: Partial<Record<ShippingFieldName, string | null>>,
): Form {
  const empty = shippingFields.filter(({ name }) => !form[name].trim());
  return { ...form, ...Object.fromEntries(empty.map(({ name }) => [name, defaults[name] ?? form[name]])) };
}
