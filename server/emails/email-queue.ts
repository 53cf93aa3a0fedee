import type { CallDatabase } from "../lib/call-database.ts";
import type { ClaimedEmail } from "./claimed-email.ts";

/** The database's functions for the email worker. */
export type EmailQueue = {
  claim: () => Promise<ClaimedEmail | null>;
  recordSent: (id: string) => Promise<void>;
  /** @param keepsPlace whether it is tried again before all later ones, without a pause */
  recordFailed: (email: ClaimedEmail, reason: string, final: boolean, keepsPlace: boolean) => Promise<void>;
  /** Of an email that was claimed and not tried: it is tried again before all later ones. */
  returnEmail: (email: ClaimedEmail) => Promise<void>;
  queueLowStock: () => Promise<void>;
};

export const openEmailQueue = (call: CallDatabase): EmailQueue => ({
  claim: async () => (await call("claim_email", {})) as ClaimedEmail | null,
  recordSent: async (id) => void (await call("record_sent_email", { _email_id: id })),
  recordFailed: async ({ id, lease }, reason, final, keepsPlace) =>
    void (await call("record_failed_email", {
      _email_id: id,
      _lease: lease,
      _reason: reason,
      _final: final,
      _keeps_place: keepsPlace,
    })),
  returnEmail: async ({ id, lease }) => void (await call("return_email", { _email_id: id, _lease: lease })),
  queueLowStock: async () => void (await call("queue_low_stock_email", {})),
});
