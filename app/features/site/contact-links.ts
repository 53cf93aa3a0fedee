import { shop } from "#app/shop.ts";

/** Opens a WhatsApp chat with the shop, with a text already typed when one is given. */
export function whatsAppLink(text?: string): string {
  const chat = `https://wa.me/${shop.whatsApp}`;
  return text ? `${chat}?text=${encodeURIComponent(text)}` : chat;
}

/** Opens the visitor's mail program with a letter to the shop. */
export function mailLink({ subject, body }: { subject: string; body: string }): string {
  return `mailto:${shop.email}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}
