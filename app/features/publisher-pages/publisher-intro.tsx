import type { ReactNode } from "react";
import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { PageIntro } from "#app/components/page-intro.tsx";
import { publisherShopPath, type publishers } from "#app/features/publishers/publisher.ts";
import { publisherProfiles } from "#app/features/publishers/publisher-profiles.ts";
import { allPublishers, guidance } from "#app/features/site/navigation.ts";

type PublisherIntroProps = { publisher: (typeof publishers)[number]; children?: ReactNode };

/** The top of every publisher's page: description, best-known series, links. */
export function PublisherIntro({ publisher, children }: PublisherIntroProps) {
  const { name, slug } = publisher;
  const { description, knownFor } = publisherProfiles[slug];
  return (
    <>
      <PageIntro title={name} parent={allPublishers}>
        <p>{description}</p>
      </PageIntro>
      <div className="page pt-6">
        <div className="overflow-hidden">
          {/* A divider precedes each entry; the first one of each line is outside the box and cut off. */}
          <ul aria-label="Known for" className="-ml-6 flex flex-wrap gap-y-1 text-15 text-muted">
            {knownFor.map((series) => (
              <li
                key={series}
                className="relative pl-6 before:absolute before:left-2.5 before:text-line-strong before:content-['/']"
              >
                {series}
              </li>
            ))}
          </ul>
        </div>
        {children}
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
