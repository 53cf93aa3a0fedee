import { expect, test } from "vitest";
import { emptyDeliveryForm } from "#app/features/delivery/delivery-form.ts";
import { emptyShippingForm } from "#app/features/delivery/shipping-form.ts";
import { pesewasFromCedis } from "#app/lib/money.ts";
import { booksTotal, findPhoneProblem } from "./phone-order.ts";

const caller = {
  ...emptyShippingForm,
  fullName: "Ama",
  phone: "024 412 3456",
  address: "5 Castle Road",
  city: "Accra",
};

test("A caller needs a name, a phone and an address, but no email", () => {
  expect(findPhoneProblem(caller, emptyDeliveryForm)).toBe(null);
  for (const field of ["fullName", "phone", "address", "city"] as const)
    expect(findPhoneProblem({ ...caller, [field]: " " }, emptyDeliveryForm)?.field).toBe(field);
  expect(findPhoneProblem({ ...caller, email: "ama" }, emptyDeliveryForm)?.field).toBe("email");
  for (const email of [" ", " ama@school.example "])
    expect(findPhoneProblem({ ...caller, email }, emptyDeliveryForm)).toBe(null);
  expect(findPhoneProblem({ ...caller, phone: "call me" }, emptyDeliveryForm)?.field).toBe("phone");
});

test("A caller who collects the order needs no address", () => {
  const collect = { ...emptyDeliveryForm, delivery_method: "collect" } as const;
  expect(findPhoneProblem({ ...caller, address: "", city: "" }, collect)).toBe(null);
});

test("A chosen bus station must have a name", () => {
  const bus = { ...emptyDeliveryForm, delivery_method: "bus_station" } as const;
  expect(findPhoneProblem(caller, bus)?.field).toBe("bus_station");
});

test("The books' total is the sum of price times quantity", () => {
  const line = { id: "a", title: "Atlas", price: pesewasFromCedis(20.1), stock_quantity: 5, quantity: 3 };
  expect(booksTotal([line, { ...line, id: "b", quantity: 1 }])).toBe(8_040);
  expect(booksTotal([])).toBe(0);
});
