import { useState } from "react";
import { Callout } from "#app/components/callout.tsx";
import { showToast } from "#app/components/toast.ts";
import { getBackend } from "#app/features/session/session-store.ts";
import { resendVerification } from "./account.queries.ts";
import { logProviderFailure, providerMessage } from "./provider-failure.ts";

type VerificationNoticeProps = { email: string; reason: "signed-up" | "unverified" };

/** What to do until the verification mail's link has been followed, with a way to have the mail sent once more. */
export function VerificationNotice({ email, reason }: VerificationNoticeProps) {
  const [sending, setSending] = useState(false);
  const [sentAgain, setSentAgain] = useState(false);

  async function sendAgain() {
    if (sending) return;
    setSending(true);
    try {
      const error = await resendVerification(await getBackend(), email, window.location.origin);
      if (error) throw error;
      setSentAgain(true);
    } catch (error) {
      logProviderFailure("The verification mail was not sent", error);
      showToast("error", providerMessage(error));
    } finally {
      setSending(false);
    }
  }

  return (
    <Callout tone={reason === "signed-up" ? "success" : "warning"} scrollsIntoView>
      <p>
        {reason === "signed-up"
          ? "Our mail is on its way to "
          : "One step is left: open the link in our mail to "}
        <strong className="wrap-anywhere">{email}</strong>. Its link signs you in, on any device.
      </p>
      {sentAgain ? (
        <p className="mt-1">
          We have sent it once more. Mails can take a minute; please look in the spam folder too.
        </p>
      ) : (
        <p className="mt-1">
          Nothing there?{" "}
          <button
            type="button"
            onClick={sendAgain}
            aria-disabled={sending || undefined}
            className="min-h-9 font-semibold text-green underline"
          >
            Send the mail again
          </button>
        </p>
      )}
    </Callout>
  );
}
