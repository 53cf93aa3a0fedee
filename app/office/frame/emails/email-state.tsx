import { Button } from "#app/components/button.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { formatMinute } from "#shared/text/dates.ts";
import { resendEmail } from "./email.admin-queries.ts";
import { emailName } from "./email.ts";

type SentEmail = {
  id: string;
  kind: string;
  status: string | null;
  state: string;
  reason: string | null;
  due_at: string;
  settled_at: string | null;
};

/**
 * 'Sent 8 May 2026, 10:05', or why it has not been sent and when the next attempt is due.
 * @param seconds until it leaves, of one that waits for staff to take a change back
 */
export function EmailState({ email, seconds }: { email: SentEmail; seconds?: number }) {
  const at = (
    <time dateTime={email.settled_at ?? email.due_at}>{formatMinute(email.settled_at ?? email.due_at)}</time>
  );
  if (email.state === "sent") return <>Sent {at}</>;
  if (email.state === "given_up")
    return (
      <>
        <span className="font-semibold text-clay">Failed</span> {at}
        <span className="block text-13 text-muted">{email.reason}</span>
      </>
    );
  if (email.state === "stopped") return <>Not sent, stopped {at}</>;
  return (
    <>
      {seconds === undefined ? "Waiting" : `Leaves in ${seconds} s`}
      {email.reason && (
        <span className="block text-13 text-muted">
          {email.reason} Next try {at}
        </span>
      )}
    </>
  );
}

/** @param about what distinguishes this email from others of its kind, for screen readers */
export function SendAgain({ email, about }: { email: SentEmail; about?: string }) {
  const send = useAdminMutation({
    run: (client) => resendEmail(client, email.id),
    success: () => ({ title: "The email will be sent again" }),
    failure: "Failed to send the email again",
  });
  return (
    <Button
      variant="secondary"
      size="small"
      className="whitespace-nowrap"
      busy={send.isPending}
      aria-label={["Send again: ", emailName(email), about && `, ${about}`].join("")}
      onClick={() => send.mutate(undefined)}
    >
      Send again
    </Button>
  );
}
