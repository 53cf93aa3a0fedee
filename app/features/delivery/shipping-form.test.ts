import { describe, expect, it } from "vitest";
import {
  emptyShippingForm,
  fillInMessage,
  findProblem,
  firstMissingField,
  shippingAddress,
  shippingFields,
  withDefaults,
} from "./shipping-form.ts";

const filled = {
  fullName: "Esi Owusu",
  email: "esi@school.example",
  phone: "0201234567",
  address: " 5 Castle Road ",
  city: "Cape Coast",
  postalCode: "",
};

describe("the shipping form", () => {
  it("reports the first missing field in form order, white space counting as missing", () => {
    expect(firstMissingField(emptyShippingForm)).toBe("fullName");
    expect(firstMissingField({ ...filled, phone: "  ", city: "" })).toBe("phone");
    expect(firstMissingField(filled)).toBeNull();
  });

  it("reports missing fields before malformed ones", () => {
    expect(findProblem({ ...filled, email: "abc", city: "" })).toEqual({
      field: "city",
      message: "Please fill in city",
    });
    expect(findProblem({ ...filled, email: "abc", phone: "xyz" })).toMatchObject({ field: "email" });
    expect(findProblem({ ...filled, phone: "xyz" })).toMatchObject({ field: "phone" });
    expect(findProblem({ ...filled, email: " esi@school.example ", phone: " 020 123 4567 " })).toBeNull();
  });

  it("names each field in lower-case words", () => {
    expect(shippingFields.map(({ name }) => fillInMessage(name))).toEqual([
      "Please fill in full name",
      "Please fill in email",
      "Please fill in phone",
      "Please fill in address",
      "Please fill in city",
      "Please fill in postal code",
    ]);
  });

  it("joins the non-empty parts of the address with commas", () => {
    expect(shippingAddress(filled)).toBe("5 Castle Road, Cape Coast");
    expect(shippingAddress({ ...filled, postalCode: " CC-012 " })).toBe("5 Castle Road, Cape Coast, CC-012");
  });

  it("fits the database's 1,000 characters with every part at its maximum length", () => {
    const long = Object.fromEntries(shippingFields.map(({ name, length }) => [name, "x".repeat(length)]));
    expect(shippingAddress(long as typeof filled).length).toBeLessThanOrEqual(1000);
  });

  it("fills in from the profile without overwriting what was typed", () => {
    const form = { ...emptyShippingForm, fullName: " ", phone: "0209999999" };
    expect(withDefaults(form, { fullName: "Esi Owusu", phone: "0201111111", email: null })).toEqual({
      ...form,
      fullName: "Esi Owusu",
    });
  });
});
