import { Button } from "#app/components/button.tsx";
import { RetryNote } from "#app/components/office/retry-note.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { readFailure, useAdminMutation, useAdminQuery } from "#app/features/admin/admin-data.ts";
import { formatMinute } from "#app/lib/dates.ts";
import { listOrderEmails, type OrderEmail, resendEmail } from "./email.admin-queries.ts";
import { emailName, isLatest } from "./order-email.ts";

/** The emails about an order, each with its state and a button that sends it again. */
export function OrderEmails({ orderId }: { orderId: string }) {
  const emails = useAdminQuery(["orders", "emails", orderId], (client) => listOrderEmails(client, orderId), {
    refreshing: true,
  });
  const failure = readFailure("emails", emails);
  if (failure) return <RetryNote {...failure} />;
  if (!emails.data) return <Skeleton className="h-20" />;
  if (emails.data.length === 0) return <p className="text-muted">No emails</p>;
  return (
    <table aria-label="Emails" className="figures w-full">
      <thead className="text-13 text-muted">
        <tr className="border-b border-line-strong text-left">
          <th scope="col" className="py-1 font-semibold">
            Email
          </th>
          <th scope="col" className="py-1 pl-3 font-semibold">
            State
          </th>
          <th scope="col" className="w-px">
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {emails.data.map((email) => (
          <tr key={email.id} className="border-b border-line align-top">
            <th scope="row" className="py-2 text-left font-semibold">
              {emailName(email)}
              {email.resend_of && <span className="block text-13 font-normal text-muted">sent again</span>}
            </th>
            <td className="py-2 pl-3">
              <EmailState email={email} />
            </td>
            <td className="py-1 pl-3 text-right">
              {email.state !== "waiting" && isLatest(email, emails.data) && <SendAgain email={email} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function EmailState({ email }: { email: OrderEmail }) {
  const at = (
    <time dateTime={email.settled_at ?? email.due_at}>{formatMinute(email.settled_at ?? email.due_at)}</time>
  );
  if (email.state === "sent") return <>Sent {at}</>;
  if (email.state === "given_up")
    return (
      <>
        <span className="font-semibold text-clay">Given up</span> {at}
        <span className="block text-13 text-muted">{email.reason}</span>
      </>
    );
  return (
    <>
      Waiting
      {email.reason && (
        <span className="block text-13 text-muted">
          {email.reason} Next try {at}
        </span>
      )}
    </>
  );
}

function SendAgain({ email }: { email: OrderEmail }) {
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
      aria-label={`Send again: ${emailName(email)}`}
      onClick={() => send.mutate(undefined)}
    >
      Send again
    </Button>
  );
}
