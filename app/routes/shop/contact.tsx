import { Link } from "react-router";
import { Button } from "#app/components/button.tsx";
import { PageIntro } from "#app/components/page-intro.tsx";
import { ContactDetails } from "#app/features/contact/contact-details.tsx";
import { ContactForm } from "#app/features/contact/contact-form.tsx";
import { isAbout, messages, startMessage } from "#app/features/contact/start-message.ts";
import { LazyNotifyForm } from "#app/features/events/lazy-forms.tsx";
import { pageHead } from "#app/features/site/head.ts";
import { booklists, bulkOrder, contact, guidance } from "#app/features/site/navigation.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { useOnLocation } from "#app/lib/react/use-on-location.ts";
import type { Route } from "./+types/contact.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, { title: contact.label, description: describeContact(), path: contact.to });

function describeContact(): string {
  const { name, address, openingHours } = currentShop();
  const open = openingHours.length > 0 ? ` Open ${openingHours.join(", ")}.` : "";
  if (address.length === 0) return `Write to ${name}.${open}`;
  return `Visit, call or message ${[name, ...address].join(", ")}.${open}`;
}

/** Words that no other page shows. */
export const loader = () => ({ replyPromise: currentShop().replyPromise });

export default function Contact({ loaderData: { replyPromise } }: Route.ComponentProps) {
  const { address } = currentShop();
  useOnLocation(({ search }) => {
    const about = new URLSearchParams(search).get("about") ?? "";
    // On a slow connection the visitor may already be writing.
    if (isAbout(about) && document.activeElement === document.body) startMessage(messages[about]);
  });
  return (
    <>
      <PageIntro title={contact.label}>
        <p>{address.length > 0 ? "Call us, come by, or write." : "Write to us."}</p>
      </PageIntro>
      <div className="page grid grid-cols-[minmax(0,1fr)] gap-x-20 gap-y-14 pt-10 pb-20 sm:pt-14 sm:pb-28 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)]">
        <div>
          <ContactDetails />
          <div className="mt-8 flex flex-wrap gap-3">
            <Button variant="secondary" onClick={() => startMessage(messages.consultation)}>
              Schedule a Consultation
            </Button>
            <Button variant="secondary" onClick={() => startMessage(messages.catalogue)}>
              Request Catalog
            </Button>
          </div>
          <p className="mt-6 text-15">
            Ordering for a whole school?{" "}
            <Link to={bulkOrder.to} className="text-green underline underline-offset-4 hover:text-green-deep">
              Paste your list into our bulk order page
            </Link>{" "}
            and see prices and stock immediately. Ordering for your child?{" "}
            <Link to={booklists.to} className="text-green underline underline-offset-4 hover:text-green-deep">
              Find the school's booklist
            </Link>
            .
          </p>
          <p className="mt-4 text-15">
            Would you like advice on a day that suits you?{" "}
            <Link
              to={`${guidance.to}#consultation`}
              className="text-green underline underline-offset-4 hover:text-green-deep"
            >
              Ask for a consultation
            </Link>
            .
          </p>
        </div>
        <section aria-labelledby="write">
          <h2 id="write" className="text-25 sm:text-32">
            Write to us
          </h2>
          {replyPromise && <p className="mt-2 text-muted">{replyPromise}</p>}
          <div className="mt-6">
            <ContactForm />
          </div>
        </section>
        <section aria-labelledby="notify" className="lg:col-start-2">
          <h2 id="notify" className="text-25">
            Get notified of events
          </h2>
          <p className="mt-2 mb-4 text-muted">
            An email about each new event or training, as soon as its date is set.
          </p>
          <LazyNotifyForm />
        </section>
      </div>
    </>
  );
}
