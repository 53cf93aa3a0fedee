import { phoneKey } from "#shared/text/phone.ts";
import type { OrderDetails } from "./order.admin-queries.ts";

type Addressed = Pick<OrderDetails, "recipient_name" | "recipient_email" | "recipient_phone" | "profiles">;

/** The recipient's details that differ from the customer's profile, which staff see above them. */
export function recipientOf(order: Addressed): string[] {
  const { full_name, email, phone } = order.profiles ?? {};
  const parts: [
    typed: string | null,
    known: string | null | undefined,
    comparable: (text: string) => string,
  ][] = [
    [order.recipient_name, full_name, (name) => name.toLowerCase()],
    [order.recipient_email, email, (address) => address.toLowerCase()],
    [order.recipient_phone, phone, phoneKey],
  ];
  return parts.flatMap(([typed, known, comparable]) =>
    typed?.trim() && comparable(typed.trim()) !== comparable(known?.trim() ?? "") ? [typed.trim()] : [],
  );
}
