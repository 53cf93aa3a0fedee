import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminMutation, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { AttentionNotice } from "#app/office/frame/attention-notice.tsx";
import { OfficeLink } from "#app/office/frame/duties.tsx";
import { orderDetailsPath } from "#app/office/frame/order-number.ts";
import { countOf } from "#shared/text/count-of.ts";
import {
  countUnsentEmails,
  listUnsentEmails,
  resendUnsentEmails,
  UNSENT_PAGE_SIZE,
  type UnsentEmail,
} from "./email.admin-queries.ts";
import { emailName } from "./email.ts";
import { EmailState, SendAgain } from "./email-state.tsx";

/** What an email is about: 'order 17'; null for low stock. */
function subjectOf({ order_number, quote_id, quote_reference, ...of }: UnsentEmail) {
  if (order_number) return { words: `order ${order_number}`, to: orderDetailsPath({ number: order_number }) };
  if (quote_id) return { words: `quote ${quote_reference ?? "request"}`, to: `/admin/quotes/${quote_id}` };
  if (of.purchase_order_id)
    return { words: of.purchase_reference, to: `/admin/purchases/${of.purchase_order_id}` };
  if (of.consultation_id) return { words: "the request", to: `/admin/consultations/${of.consultation_id}` };
  if (of.event_id) return { words: of.event_title, to: `/admin/events/${of.event_id}` };
  return null;
}

export const useUnsentEmailCount = () =>
  useAdminQuery(["orders", "emails", "unsent"], countUnsentEmails, { refreshing: true });

/** Emails that could not be sent. Renders nothing when there are none. */
export function UnsentEmails() {
  const { data: total = 0 } = useUnsentEmailCount();
  if (total === 0) return null;
  return (
    <AttentionNotice
      label="Emails not sent"
      words={`${countOf(total, "email")} could not be sent in the last 7 days`}
      action={<SendAllAgain total={total} />}
    >
      <UnsentList total={total} />
    </AttentionNotice>
  );
}

/** Asks first: it may write to many customers. */
function SendAllAgain({ total }: { total: number }) {
  const [asking, setAsking] = useState(false);
  const send = useAdminMutation({
    run: resendUnsentEmails,
    success: (count) => ({
      title:
        count === 0
          ? "All of them are already waiting to be sent"
          : `${countOf(count, "email")} will be sent again`,
    }),
    failure: "Failed to send the emails again",
  });
  return (
    <>
      <button
        type="button"
        className="min-h-11 shrink-0 font-semibold text-green underline"
        aria-disabled={send.isPending || undefined}
        onClick={() => send.isPending || setAsking(true)}
      >
        {send.isPending ? "Sending again…" : "Send all again"}
      </button>
      <ConfirmDialog
        open={asking}
        question={`Send ${countOf(total, "email")} again?`}
        confirmLabel={`Send ${countOf(total, "email")}`}
        variant="primary"
        onConfirm={() => send.mutate(undefined)}
        onClose={() => setAsking(false)}
      >
        <p>
          Each email goes to its original recipient with up-to-date content. Emails that no longer apply
          aren't sent.
        </p>
      </ConfirmDialog>
    </>
  );
}

/** Each email with the reason and a button to send it again. */
function UnsentList({ total }: { total: number }) {
  const [chosen, setPage] = useState(1);
  const pages = Math.max(1, Math.ceil(total / UNSENT_PAGE_SIZE));
  const page = Math.min(chosen, pages);
  const emails = useAdminQuery(
    ["orders", "emails", "unsent", page],
    (client) => listUnsentEmails(client, page),
    { refreshing: true, keepPrevious: true },
  );
  const failure = readFailure("emails", emails);
  if (failure) return <RetryNote {...failure} />;
  const first = (page - 1) * UNSENT_PAGE_SIZE + 1;
  return (
    <>
      <ul>
        {emails.data?.map((email) => (
          <UnsentRow key={email.id} email={email} />
        ))}
      </ul>
      {pages > 1 && (
        <nav aria-label="Pages of emails" className="flex items-center gap-2 border-t border-line pt-2">
          <p className="figures grow text-muted">
            {first}–{Math.min(first + UNSENT_PAGE_SIZE - 1, total)} of {total.toLocaleString("en-GB")}
          </p>
          <Button variant="quiet" size="small" disabled={page === 1} onClick={() => setPage(page - 1)}>
            Newer
          </Button>
          <Button variant="quiet" size="small" disabled={page === pages} onClick={() => setPage(page + 1)}>
            Older
          </Button>
        </nav>
      )}
    </>
  );
}

function UnsentRow({ email }: { email: UnsentEmail }) {
  const subject = subjectOf(email);
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 border-t border-line py-2 first:border-t-0">
      <div className="min-w-0">
        <p>
          <span className="font-semibold">{emailName(email)}</span>
          {subject && (
            <>
              {", "}
              <OfficeLink to={subject.to} className="font-semibold text-green">
                {subject.words}
              </OfficeLink>
            </>
          )}
        </p>
        <p>
          <EmailState email={email} />
        </p>
      </div>
      {email.state === "given_up" && <SendAgain email={email} {...(subject && { about: subject.words })} />}
    </li>
  );
}
