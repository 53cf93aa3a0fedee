import { describe, expect, it } from "vitest";
import {
  emptyShippingForm,
  fillInMessage,
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

  it("joins what is there of the address with commas", () => {
    expect(shippingAddress(filled)).toBe("5 Castle Road, Cape Coast");
    expect(shippingAddress({ ...filled, postalCode: " CC-012 " })).toBe("5 Castle Road, Cape Coast, CC-012");
  });

  it("fits into the database's 1,000 characters when every part is as long as the form allows", () => {
    const long = Object.fromEntries(shippingFields.map(({ name, length }) => [name, "x".repeat(length)]));
    expect(shippingAddress(long as typeof filled).length).toBeLessThanOrEqual(1000);
  });

  it("fills in from the profile without touching what was typed", () => {
    const form = { ...emptyShippingForm, phone: "0209999999" };
    expect(withDefaults(form, { fullName: "Esi Owusu", phone: "0201111111", email: null })).toEqual({
      ...form,
      fullName: "Esi Owusu",
    });
  });
});
