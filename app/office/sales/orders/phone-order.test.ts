import { expect, test } from "vitest";
import { emptyOrderForm } from "#app/features/delivery/delivery-form.ts";
import { pesewasFromCedis } from "#shared/text/money.ts";
import { asPhoned, booksTotal, filledFor, findPhoneErrors, withoutFilled } from "./phone-order.ts";

const caller = {
  ...emptyOrderForm,
  fullName: "Ama",
  phone: "024 412 3456",
  address: "5 Castle Road",
  city: "Accra",
};

test("A caller needs a name, a phone and an address, but no email", () => {
  expect(findPhoneErrors(caller)).toEqual({});
  for (const field of ["fullName", "phone", "address", "city"] as const)
    expect(Object.keys(findPhoneErrors({ ...caller, [field]: " " }))).toEqual([field]);
  expect(Object.keys(findPhoneErrors({ ...caller, email: "ama" }))).toEqual(["email"]);
  for (const email of [" ", " ama@school.example "])
    expect(findPhoneErrors({ ...caller, email })).toEqual({});
  expect(Object.keys(findPhoneErrors({ ...caller, phone: "call me" }))).toEqual(["phone"]);
});

test("A caller who collects the order needs no address", () => {
  const collects = { ...caller, address: "", city: "", delivery_method: "collect" } as const;
  expect(findPhoneErrors(collects)).toEqual({});
});

const account = {
  ...{ id: "a", full_name: "Ama Ata", email: "ama@school.example", phone: "0244123456" },
  ...{
    address: "5 Castle Road",
    city: "Wa",
    postal_code: null,
    region: "Upper West",
    landmark: "By the market",
  },
  ...{ digital_address: null, delivery_method: "deliver", bus_station: null },
};

test("Fills phone and last address from an account, and keeps what was typed", () => {
  expect(filledFor({ ...emptyOrderForm, city: "Tamale" }, account)).toMatchObject({
    fullName: "Ama Ata",
    phone: "0244123456",
    address: "5 Castle Road",
    city: "Tamale",
    region: "Upper West",
    landmark: "By the market",
  });
});

test("Takes back what an account filled in when it was the wrong one, but not what was changed since", () => {
  const typed = { ...emptyOrderForm, fullName: "Kofi" };
  const filled = filledFor(typed, account);
  expect(withoutFilled({ ...filled, phone: "0201234567" }, filled, typed)).toEqual({
    ...typed,
    phone: "0201234567",
  });
});

test("Sends no address with an order that is collected, also when one was filled in before", () => {
  const collected = asPhoned({ ...caller, delivery_method: "collect" }, false);
  expect(collected).toMatchObject({ address: "", city: "", fullName: "Ama" });
  expect(asPhoned(caller, false)).toMatchObject({ address: "5 Castle Road" });
});

test("A chosen bus station must have a name", () => {
  const bus = { ...caller, delivery_method: "bus_station" } as const;
  expect(Object.keys(findPhoneErrors(bus))).toEqual(["bus_station"]);
});

test("The books' total is the sum of price times quantity", () => {
  const line = {
    id: "a",
    title: "Atlas",
    publisher: null,
    isbn: null,
    price: pesewasFromCedis(20.1),
    stock_quantity: 5,
    kind: "book",
    quantity: 3,
  };
  expect(booksTotal([line, { ...line, id: "b", quantity: 1 }])).toBe(8_040);
  expect(booksTotal([])).toBe(0);
});
