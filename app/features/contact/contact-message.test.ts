import { describe, expect, it } from "vitest";
import { emailLink, whatsAppLink } from "#app/features/site/contact-links.ts";
import { shop } from "#shared/owner/shop.ts";
import { composeEmail } from "./contact-message.ts";

const typed = {
  name: "Bright Future School",
  phone: "+233 24 000 0000",
  email: "office@bright.example",
  message: "60 copies of A & B?\nBy September.",
};

describe("a message of the contact form", () => {
  it("becomes an email with everything that was typed", () => {
    const { subject, body } = composeEmail(typed);
    expect(subject).toBe("Question from Bright Future School");
    expect(body).toBe(
      `${typed.message}\r\n\r\nBright Future School\r\n+233 24 000 0000\r\noffice@bright.example`,
    );
  });

  it("is complete in the links to chat and email", () => {
    const email = composeEmail(typed);
    const chat = new URL(whatsAppLink(email.body));
    expect(chat.origin + chat.pathname).toBe("https://wa.me/233200000140");
    expect(chat.searchParams.get("text")).toBe(email.body);
    const link = new URL(emailLink(email));
    expect(link.pathname).toBe(shop.email);
    expect(link.searchParams.get("subject")).toBe(email.subject);
    expect(link.searchParams.get("body")).toBe(email.body);
  });

  it("needs no text to open a chat", () => {
    expect(whatsAppLink()).toBe("https://wa.me/233200000140");
  });
});
