import { Link } from "react-router";
import { Badge } from "#app/components/badge.tsx";
import { StarRating } from "#app/components/star-rating.tsx";
import { staffStatusNames as consultationNames } from "#app/features/consultations/consultation.ts";
import { ConsultationStatusBadge } from "#app/features/consultations/consultation-status-badge.tsx";
import { staffStatusNames as quoteNames } from "#app/features/quotes/quote.ts";
import { QuoteStatusBadge } from "#app/features/quotes/quote-status-badge.tsx";
import { Panel } from "#app/office/components/panel.tsx";
import { countOf } from "#shared/text/count-of.ts";
import { formatDay } from "#shared/text/dates.ts";
import type { Person } from "./person.admin-queries.ts";
import { PersonRows, rowLinkClass } from "./person-rows.tsx";

const registrationStates = {
  registered: "Registered",
  waiting: "On the waiting list",
  cancelled: "Cancelled",
};

const titled = (name: string, { count }: { count: number }) => `${name} (${count.toLocaleString("en-GB")})`;

const bookLink = ({ id, title }: { id: string; title: string }) => (
  <Link to={`/books/${id}`} className={rowLinkClass}>
    <bdi>{title}</bdi>
  </Link>
);

/** Everything beyond their orders; lists without a row are left out. */
export function PersonLists({ person }: { person: Person }) {
  const {
    profile,
    quotes,
    consultations,
    registrations,
    reviews,
    cart,
    wishlist,
    stock_alerts: waits,
  } = person;
  return (
    <>
      {quotes && quotes.count > 0 && (
        <Panel title={titled("Quotes", quotes)}>
          <PersonRows
            list={quotes}
            rowId={({ id }) => id}
            name={({ id, reference, institution }) => (
              <Link to={`/admin/quotes/${id}`} className={rowLinkClass}>
                <bdi>{[reference, institution].filter(Boolean).join(", ") || "Quote"}</bdi>
              </Link>
            )}
            facts={({ status }) => <QuoteStatusBadge status={status} names={quoteNames} />}
            all={profile.email && `/admin/quotes?q=${encodeURIComponent(profile.email)}`}
          />
        </Panel>
      )}
      {consultations && consultations.count > 0 && (
        <Panel title={titled("Consultations", consultations)}>
          <PersonRows
            list={consultations}
            rowId={({ id }) => id}
            name={({ id, subject, institution }) => (
              <Link to={`/admin/consultations/${id}`} className={rowLinkClass}>
                <bdi>{[subject, institution].filter(Boolean).join(", ") || "Consultation"}</bdi>
              </Link>
            )}
            facts={({ status }) => <ConsultationStatusBadge status={status} names={consultationNames} />}
            all={profile.email && `/admin/consultations?q=${encodeURIComponent(profile.email)}`}
          />
        </Panel>
      )}
      {registrations && registrations.count > 0 && (
        <Panel title={titled("Events", registrations)}>
          <PersonRows
            list={registrations}
            rowId={({ id }) => id}
            name={({ event_id, title, starts_at }) => (
              <>
                <Link to={`/admin/events/${event_id}`} className={rowLinkClass}>
                  <bdi>{title}</bdi>
                </Link>{" "}
                <span className="text-13 text-muted">on {formatDay(starts_at)}</span>
              </>
            )}
            facts={({ state }) => registrationStates[state]}
          />
        </Panel>
      )}
      {reviews && reviews.count > 0 && (
        <Panel title={titled("Reviews", reviews)}>
          <PersonRows
            list={reviews}
            rowId={({ id }) => id}
            name={({ title, review_text }) => (
              <>
                <bdi className="font-semibold">{title}</bdi>
                {review_text && <span className="block text-15 whitespace-pre-line">{review_text}</span>}
              </>
            )}
            facts={({ rating, is_hidden }) => (
              <>
                {is_hidden && <Badge variant="outline">Hidden</Badge>}
                <StarRating rating={rating} />
              </>
            )}
          />
        </Panel>
      )}
      {cart.count > 0 && (
        <Panel title={titled("In their cart", cart)}>
          <PersonRows
            list={cart}
            rowId={({ id }) => id}
            name={bookLink}
            facts={({ quantity }) => countOf(quantity, "copy", "copies")}
          />
        </Panel>
      )}
      {wishlist.count > 0 && (
        <Panel title={titled("On their wishlist", wishlist)}>
          <PersonRows list={wishlist} rowId={({ id }) => id} name={bookLink} />
        </Panel>
      )}
      {waits.count > 0 && (
        <Panel title={titled("Stock alerts", waits)}>
          <PersonRows list={waits} rowId={({ id }) => id} name={bookLink} />
        </Panel>
      )}
    </>
  );
}
