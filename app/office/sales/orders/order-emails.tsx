import { Skeleton } from "#app/components/skeleton.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { listOrderEmails } from "#app/office/frame/emails/email.admin-queries.ts";
import { emailName, isLatest } from "#app/office/frame/emails/email.ts";
import { EmailState, SendAgain } from "#app/office/frame/emails/email-state.tsx";

/** The emails about an order, each with its state and a button to send it again. */
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
