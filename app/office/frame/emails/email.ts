import { readStatus } from "#app/features/orders/order.ts";
import { emailKinds, isEmailKind } from "#shared/shop/email-kinds.ts";

/** 'Order placed', 'Status: shipped': an email's name for staff. */
export function emailName({ kind, status }: { kind: string; status: string | null }): string {
  if (kind === "order_status_changed") return `Status: ${readStatus(status ?? "")}`;
  return isEmailKind(kind) ? emailKinds[kind].name : kind;
}

type Chained = { id: string; resend_of: string | null };

/** Whether an email is the last one about its event: only that one can be sent again. Emails come oldest first. */
export function isLatest(email: Chained, emails: readonly Chained[]): boolean {
  const first = email.resend_of ?? email.id;
  return emails.findLast(({ id, resend_of }) => (resend_of ?? id) === first)?.id === email.id;
}
