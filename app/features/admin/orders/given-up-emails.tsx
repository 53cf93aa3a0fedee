import { Link } from "react-router";
import { useAdminQuery } from "#app/features/admin/admin-data.ts";
import { countOf } from "#app/lib/count-of.ts";
import { listGivenUpEmails } from "./email.admin-queries.ts";
import { emailName } from "./order-email.ts";
import { orderDetailsPath } from "./order-number.ts";

/** More would push the list of orders off the screen. */
const SHOWN = 5;

/** Emails of the last week that could not be sent; each order's details say why, and send them again. Nothing when there are none. */
export function GivenUpEmails() {
  const { data: emails = [] } = useAdminQuery(["orders", "emails", "given up"], listGivenUpEmails, {
    refreshing: true,
  });
  if (emails.length === 0) return null;
  const more = emails.length - SHOWN;
  return (
    <section
      aria-label="Emails not sent"
      className="mb-4 rounded-card border border-clay bg-clay-tint px-4 py-3"
    >
      <p className="font-semibold">{countOf(emails.length, "email")} could not be sent in the last 7 days</p>
      <ul className="mt-1">
        {emails.slice(0, SHOWN).map((email) => (
          <li key={email.id} className="py-0.5">
            {emailName(email)}
            {email.order_number && (
              <>
                {", "}
                <Link
                  to={orderDetailsPath({ number: email.order_number })}
                  className="font-semibold text-green"
                >
                  order {email.order_number}
                </Link>
              </>
            )}
          </li>
        ))}
      </ul>
      {more > 0 && <p>and {more} more</p>}
    </section>
  );
}
