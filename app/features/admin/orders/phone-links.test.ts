import { expect, test } from "vitest";
import { phoneLinks } from "./phone-links.ts";

test.each([
  ["024 412 3456", "tel:+233244123456", "https://wa.me/233244123456"],
  ["+233 24-412-3456", "tel:+233244123456", "https://wa.me/233244123456"],
  ["+44 20 7946 0000", "tel:+442079460000", "https://wa.me/442079460000"],
  ["233244123456", "tel:233244123456", "https://wa.me/233244123456"],
])("the call link of '%s' is %s and its WhatsApp link %s", (typed, call, whatsApp) => {
  expect(phoneLinks(typed)).toEqual({ call, whatsApp });
});

test.each(["", "call me", "12345"])("'%s' has no links", (typed) => {
  expect(phoneLinks(typed)).toBeNull();
});
