import type { ComponentProps } from "react";
import { InputField } from "#app/components/field.tsx";
import { type Shipment, shipmentFields } from "#shared/orders/order-fields.ts";

type Typed = Record<keyof Shipment, string>;

/** The values of an empty form. */
export const noShipment: Typed = { carrier: "", parcel_number: "", driver_phone: "" };

type ShippingFieldsProps = {
  field: (
    name: keyof Shipment,
  ) => Pick<ComponentProps<typeof InputField>, "name" | "value" | "onChange" | "error">;
};

/** How a parcel travels: all of it is optional. */
export function ShippingFields({ field }: ShippingFieldsProps) {
  return shipmentFields.map(({ name, label, limit, ...definition }) => (
    <InputField
      key={name}
      label={label}
      maxLength={limit}
      autoComplete="off"
      type={name === "driver_phone" ? "tel" : "text"}
      hint={"hint" in definition ? definition.hint : undefined}
      {...field(name)}
    />
  ));
}
