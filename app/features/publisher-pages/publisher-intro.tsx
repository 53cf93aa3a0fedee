import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { PageIntro } from "#app/components/page-intro.tsx";
import { publisherShopPath } from "#app/features/publishers/publisher.ts";
import { Logo } from "#app/features/publishers/wordmark.tsx";
import { allPublishers, guidance } from "#app/features/site/navigation.ts";
import type { PublisherPage } from "./publisher-page.queries.ts";

/** The top of every publisher's page: logo, description, best-known series, links. */
export function PublisherIntro({ publisher }: Pick<PublisherPage, "publisher">) {
  const { name, description, known_for, note, logo } = publisher;
  return (
    <>
      <PageIntro title={name} parent={allPublishers}>
        {logo && <Logo url={logo} name="" />}
        {description && <p>{description}</p>}
      </PageIntro>
      <div className="page pt-6">
        {known_for.length > 0 && (
          <div className="overflow-hidden">
            {/* A divider precedes each entry; the first one of each line is outside the box and cut off. */}
            <ul aria-label="Known for" className="-ml-6 flex flex-wrap gap-y-1 text-15 text-muted">
              {known_for.map((series) => (
                <li
                  key={series}
                  className="relative pl-6 wrap-anywhere before:absolute before:left-2.5 before:text-line-strong before:content-['/']"
                >
                  {series}
                </li>
              ))}
            </ul>
          </div>
        )}
        {note && <p className="mt-6 border-l-3 border-gold pl-4 font-display text-20">{note}</p>}
        <div className="mt-6 flex flex-wrap gap-3">
          <Link to={guidance.to} className={buttonClass()}>
            Get Resource Guidance
          </Link>
          <Link
            to={publisherShopPath(name)}
            className={buttonClass({ variant: "secondary", className: "py-2 text-center" })}
          >
            All books by {name}
          </Link>
        </div>
      </div>
    </>
  );
}
