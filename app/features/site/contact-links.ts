import { currentShop } from "#app/lib/pages/current-shop.ts";

/** Opens a WhatsApp chat with the shop, with `text` already typed. */
export function whatsAppLink(text?: string): string {
  const chat = `https://wa.me/${currentShop().whatsApp.replace(/\D/g, "")}`;
  return text ? `${chat}?text=${encodeURIComponent(text)}` : chat;
}

/** Opens the visitor's email program with a message to the shop. */
export function emailLink({ subject, body }: { subject: string; body: string }): string {
  return `mailto:${currentShop().email}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}

/** Starts a question to the shop, in whatever way it can be reached. */
export function askLink(question: string): string {
  const { whatsApp, email } = currentShop();
  if (whatsApp) return whatsAppLink(question);
  return email ? emailLink({ subject: question, body: "" }) : "/contact";
}

/** Has a phone dial a number of the shop's, which is stored with its country's code. */
export const shopPhoneLink = (phone: string) => `tel:${phone.replace(/[^\d+]/g, "")}`;
