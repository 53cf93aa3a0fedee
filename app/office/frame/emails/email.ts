import { readStatus } from "#app/features/orders/order.ts";
import { emailKinds, isEmailKind } from "#shared/shop/email-kinds.ts";

/** 'Order placed', 'Status: shipped': an email's name for staff. */
export function emailName({ kind, status }: { kind: string; status: string | null }): string {
  if (kind === "order_status_changed") return `Status: ${readStatus(status ?? "")}`;
  return isEmailKind(kind) ? emailKinds[kind].name : kind;
}

type AboutEvent = { id: string; kind: string; event: string | null; resend_of: string | null };

/** Whether an email says that a parcel is on its way that was taken back since. */
export function isAboutUndone(
  { kind, event, resend_of }: AboutEvent,
  emails: readonly AboutEvent[],
  shipments: readonly { id: string; undone_at: string | null }[],
): boolean {
  if (!kind.endsWith("part_shipped")) return false;
  const about = event ?? emails.find(({ id }) => id === resend_of)?.event;
  return shipments.some(({ id, undone_at }) => id === about && undone_at !== null);
}

type Chained = { id: string; resend_of: string | null };

/** Whether an email is the last one about its event: only that one can be sent again. Emails come oldest first. */
export function isLatest(email: Chained, emails: readonly Chained[]): boolean {
  const first = email.resend_of ?? email.id;
  return emails.findLast(({ id, resend_of }) => (resend_of ?? id) === first)?.id === email.id;
}
