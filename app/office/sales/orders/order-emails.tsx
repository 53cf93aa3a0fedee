import { Button } from "#app/components/button.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { listOrderEmails } from "#app/office/frame/emails/email.admin-queries.ts";
import { emailName, isAboutUndone, isLatest } from "#app/office/frame/emails/email.ts";
import { EmailState, SendAgain } from "#app/office/frame/emails/email-state.tsx";
import type { OrderDetails } from "./order.admin-queries.ts";
import { useStopStatusEmails, useWaitingStatusEmails } from "./waiting-status-emails.tsx";

type StatusEmail = { state: string; from_status: string | null; reason: string | null };

/** Whether it waits for staff to take a change back. After a failed attempt it waits for the mail server. */
const isStoppable = ({ state, from_status, reason }: StatusEmail) =>
  state === "waiting" && from_status !== null && reason === null;

/** The emails about an order, each with its state and a button to send it again, or not at all. */
export function OrderEmails({ order }: { order: Pick<OrderDetails, "id" | "shipments"> }) {
  const { id: orderId } = order;
  const emails = useAdminQuery(["orders", "emails", orderId], (client) => listOrderEmails(client, orderId), {
    refreshing: true,
  });
  const waiting = useWaitingStatusEmails().find((one) => one.orderId === orderId);
  const stop = useStopStatusEmails();
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
              <EmailState email={email} seconds={isStoppable(email) ? waiting?.seconds : undefined} />
            </td>
            <td className="py-1 pl-3 text-right">
              {waiting && isStoppable(email) && (
                <Button
                  variant="secondary"
                  size="small"
                  className="whitespace-nowrap"
                  aria-label={`Don't send: ${emailName(email)}`}
                  busy={stop.isPending}
                  onClick={() => stop.mutate([orderId])}
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
