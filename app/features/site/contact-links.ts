import { shop } from "#app/owner/shop.ts";

/** Opens a WhatsApp chat with the shop, with `text` already typed. */
export function whatsAppLink(text?: string): string {
  const chat = `https://wa.me/${shop.whatsApp}`;
  return text ? `${chat}?text=${encodeURIComponent(text)}` : chat;
}

/** Opens the visitor's email program with a message to the shop. */
export function emailLink({ subject, body }: { subject: string; body: string }): string {
  return `mailto:${shop.email}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}
