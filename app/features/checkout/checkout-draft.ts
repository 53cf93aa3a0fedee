import { emptyOrderForm, type OrderForm } from "#app/features/delivery/delivery-form.ts";
import { TAB_PREFIX } from "#app/lib/browser/env.ts";
import { createStoredItem } from "#app/lib/browser/storage.ts";
import { newUuid } from "#shared/text/new-uuid.ts";

/** The checkout's state in this tab until the order is placed; it survives a reload and a failed attempt. */
export type CheckoutDraft = {
  userId: string;
  /** The order's id, the same for every attempt to place it. */
  orderId: string;
  /** Whether the order was sent: it may have been placed even without a response. */
  sent: boolean;
  form: OrderForm;
};

const item = createStoredItem("tab", `${TAB_PREFIX}checkout`);

/** This user's draft in this tab, or a new one; another user's is discarded. */
export function readDraft(userId: string): CheckoutDraft {
  const stored = readStored();
  if (stored?.userId === userId) return { ...stored, form: { ...emptyOrderForm, ...stored.form } };
  forgetDraft();
  return { userId, orderId: newUuid(), sent: false, form: emptyOrderForm };
}

/** Whether this user has an order in this tab that was neither placed nor given up by signing out. */
export function hasDraft(userId: string): boolean {
  return readStored()?.userId === userId;
}

/** Saves the draft. It is personal data: stored in this tab only, until the order is placed or the user signs out. */
export function changeDraft(
  draft: CheckoutDraft,
  change: Partial<Pick<CheckoutDraft, "form" | "sent">> = {},
): void {
  const stored = readStored();
  const newest = stored?.orderId === draft.orderId ? stored : draft;
  item.write({ ...newest, ...change });
}

export const forgetDraft = item.remove;

const readStored = () => item.read() as CheckoutDraft | null;
