import { describe, expect, it } from "vitest";
import { mailLink, whatsAppLink } from "#app/features/site/contact-links.ts";
import { shop } from "#app/shop.ts";
import { letterFrom } from "./contact-message.ts";

const typed = {
  name: "Bright Future School",
  phone: "+233 24 000 0000",
  email: "office@bright.example",
  message: "60 copies of A & B?\nBy September.",
};

describe("a message of the contact form", () => {
  it("becomes a letter with everything that was typed", () => {
    const { subject, body } = letterFrom(typed);
    expect(subject).toBe("Question from Bright Future School");
    expect(body.startsWith(typed.message)).toBe(true);
    for (const text of Object.values(typed)) expect(body).toContain(text);
  });

  it("is carried whole by the links to chat and mail", () => {
    const letter = letterFrom(typed);
    const chat = new URL(whatsAppLink(letter.body));
    expect(chat.origin + chat.pathname).toBe(`https://wa.me/${shop.whatsApp}`);
    expect(chat.searchParams.get("text")).toBe(letter.body);
    const mail = new URL(mailLink(letter));
    expect(mail.pathname).toBe(shop.email);
    expect(mail.searchParams.get("subject")).toBe(letter.subject);
    expect(mail.searchParams.get("body")).toBe(letter.body);
  });

  it("needs no text to open a chat", () => {
    expect(whatsAppLink()).toBe(`https://wa.me/${shop.whatsApp}`);
  });
});
