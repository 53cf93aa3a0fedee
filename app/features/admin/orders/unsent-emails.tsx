import { useState } from "react";
import { Link } from "react-router";
import { ShowAllButton } from "#app/components/office/show-all-button.tsx";
import { useAdminQuery } from "#app/features/admin/admin-data.ts";
import { countOf } from "#app/lib/count-of.ts";
import { listUnsentEmails, type UnsentEmail } from "./email.admin-queries.ts";
import { EmailState, SendAgain } from "./email-state.tsx";
import { emailName } from "./order-email.ts";
import { orderDetailsPath } from "./order-number.ts";

/** More would push the page's own lists off the screen. */
const SHOWN = 5;

/** What an email is about: 'order 17'; null for low stock. */
function subjectOf({ order_number, quote_id, quote_reference }: UnsentEmail) {
  if (order_number) return { words: `order ${order_number}`, to: orderDetailsPath({ number: order_number }) };
  if (quote_id) return { words: `quote ${quote_reference ?? "request"}`, to: `/admin/quotes/${quote_id}` };
  return null;
}

export const useUnsentEmails = () =>
  useAdminQuery(["orders", "emails", "unsent"], listUnsentEmails, { refreshing: true });

/**
 * Emails of all kinds that could not be sent, each with the reason and a button to send it again. Renders nothing
 * when there are none.
 */
export function UnsentEmails() {
  const [whole, setWhole] = useState(false);
  const { data: emails = [] } = useUnsentEmails();
  if (emails.length === 0) return null;
  return (
    <section
      aria-label="Emails not sent"
      className="mb-4 rounded-card border border-clay bg-clay-tint px-4 py-3"
    >
      <p className="font-semibold">{countOf(emails.length, "email")} could not be sent in the last 7 days</p>
      <ul className="mt-1">
        {(whole ? emails : emails.slice(0, SHOWN)).map((email) => (
          <UnsentRow key={email.id} email={email} />
        ))}
      </ul>
      {emails.length > SHOWN && <ShowAllButton whole={whole} onChange={setWhole} subject="the emails" />}
    </section>
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
              <Link to={subject.to} className="font-semibold text-green">
                {subject.words}
              </Link>
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
