import { expect, test } from "vitest";
import { emailLink, whatsAppLink } from "./contact-links.ts";

test("A chat with the shop is opened with a text already typed, or with none", () => {
  expect(whatsAppLink()).toBe("https://wa.me/233200000140");
  expect(whatsAppLink("Maths & English?")).toBe("https://wa.me/233200000140?text=Maths%20%26%20English%3F");
});

test("A message to the shop has its subject and its lines", () => {
  expect(emailLink({ subject: "Books & more", body: "One\nTwo" })).toBe(
    "mailto:hello@adwenebooks.example?subject=Books%20%26%20more&body=One%0ATwo",
  );
});
