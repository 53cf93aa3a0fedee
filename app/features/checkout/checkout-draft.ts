import { TAB_PREFIX } from "#app/lib/env.ts";
import { emptyShippingForm, type ShippingForm } from "./shipping-form.ts";

/** What the checkout must remember in this tab until the order stands: also over a reload and a failed attempt. */
export type CheckoutDraft = {
  userId: string;
  /** The order's id, the same for every attempt to place it. */
  orderId: string;
  /** Whether the order was sent: it may stand although no answer came. */
  sent: boolean;
  form: ShippingForm;
};

const KEY = `${TAB_PREFIX}checkout`;

/** The draft of this person in this tab, or a new one; anybody else's is forgotten. */
export function readDraft(userId: string): CheckoutDraft {
  const stored = readStored();
  if (stored?.userId === userId) return { ...stored, form: { ...emptyShippingForm, ...stored.form } };
  forgetDraft();
  return { userId, orderId: crypto.randomUUID(), sent: false, form: emptyShippingForm };
}

/** Keeps a change of the draft. It is personal data: in this tab alone, and until the order stands or he signs out. */
export function changeDraft(
  draft: CheckoutDraft,
  change: Partial<Pick<CheckoutDraft, "form" | "sent">> = {},
): void {
  const stored = readStored();
  const newest = stored?.orderId === draft.orderId ? stored : draft;
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...newest, ...change }));
  } catch {
    // Without storage the form lasts as long as the page.
  }
}

export function forgetDraft(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was kept.
  }
}

function readStored(): CheckoutDraft | null {
  try {
    const stored: CheckoutDraft | null = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    return stored;
  } catch {
    // A storage that is blocked or holds something else is as good as empty.
    return null;
  }
}
