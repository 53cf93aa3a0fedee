import { Button } from "#app/components/button.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { listOrderEmails, type OrderEmail } from "#app/office/frame/emails/email.admin-queries.ts";
import { emailName, isAboutUndone, isLatest } from "#app/office/frame/emails/email.ts";
import { EmailState, SendAgain } from "#app/office/frame/emails/email-state.tsx";
import type { OrderDetails } from "./order.admin-queries.ts";
import { useStopEmails, useWaitingEmails } from "./waiting-emails.tsx";

/** The emails about an order, each with its state and a button to send it again, or not at all. */
export function OrderEmails({ order }: { order: Pick<OrderDetails, "id" | "shipments"> }) {
  const { id: orderId } = order;
  const emails = useAdminQuery(["orders", "emails", orderId], (client) => listOrderEmails(client, orderId), {
    refreshing: true,
  });
  const waiting = useWaitingEmails();
  /** Of one that waits for staff to take back what it is about. After a failed attempt it waits for the mail server. */
  const secondsOf = ({ event, state, reason }: OrderEmail) =>
    state === "waiting" && reason === null ? waiting.find((one) => one.event === event)?.seconds : undefined;
  const stop = useStopEmails();
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
            <td className="figures py-2 pl-3">
              <EmailState email={email} seconds={secondsOf(email)} />
            </td>
            <td className="py-1 pl-3 text-right">
              {secondsOf(email) !== undefined && (
                <Button
                  variant="secondary"
                  size="small"
                  className="whitespace-nowrap"
                  aria-label={`Don't send: ${emailName(email)}`}
                  busy={stop.isPending}
                  onClick={() => stop.mutate([email.event ?? ""])}
                >
                  Don't Send
                </Button>
              )}
              {email.state !== "waiting" &&
                isLatest(email, emails.data) &&
                !isAboutUndone(email, emails.data, order.shipments) && <SendAgain email={email} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
