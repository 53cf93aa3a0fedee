import { useState } from "react";
import { Callout } from "#app/components/callout.tsx";
import { getBackend } from "#app/features/session/backend.ts";
import { resendVerification } from "./account.queries.ts";
import { showAccountFailure } from "./show-account-failure.ts";

type VerificationNoticeProps = { email: string; reason: "signed-up" | "unverified" };

/** Asks the customer to open the link in the verification email, and offers to resend it. */
export function VerificationNotice({ email, reason }: VerificationNoticeProps) {
  const [sending, setSending] = useState(false);
  const [sentAgain, setSentAgain] = useState(false);

  async function sendAgain() {
    if (sending) return;
    setSending(true);
    try {
      await resendVerification(await getBackend(), email, window.location.origin);
      setSentAgain(true);
    } catch (error) {
      showAccountFailure("Failed to send the verification email", error);
    } finally {
      setSending(false);
    }
  }

  return (
    <Callout tone={reason === "signed-up" ? "success" : "warning"} scrollsIntoView>
      <p>
        {reason === "signed-up" ? "We've sent an email to " : "One last step: open the link we emailed to "}
        <strong className="wrap-anywhere">{email}</strong>. The link signs you in on any device.
      </p>
      {sentAgain ? (
        <p className="mt-1">
          We've sent it again. Emails can take a minute; please check your spam folder too.
        </p>
      ) : (
        <p className="mt-1">
          Didn't get it?{" "}
          <button
            type="button"
            onClick={sendAgain}
            aria-disabled={sending || undefined}
            className="min-h-11 font-semibold text-green underline"
          >
            Send it again
          </button>
        </p>
      )}
    </Callout>
  );
}
