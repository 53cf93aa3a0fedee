import type { CallDatabase } from "../lib/call-database.ts";
import type { ClaimedEmail } from "./claimed-email.ts";

/** The database's functions for the email worker. */
export type EmailQueue = {
  claim: () => Promise<ClaimedEmail | null>;
  recordSent: (id: string) => Promise<void>;
  recordFailed: (email: ClaimedEmail, reason: string, final: boolean) => Promise<void>;
  queueLowStock: () => Promise<void>;
};

export const openEmailQueue = (call: CallDatabase): EmailQueue => ({
  claim: async () => (await call("claim_email", {})) as ClaimedEmail | null,
  recordSent: async (id) => void (await call("record_sent_email", { _email_id: id })),
  recordFailed: async ({ id, lease }, reason, final) =>
    void (await call("record_failed_email", {
      _email_id: id,
      _lease: lease,
      _reason: reason,
      _final: final,
    })),
  queueLowStock: async () => void (await call("queue_low_stock_email", {})),
});
