import type { ReactNode } from "react";
import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { PageIntro } from "#app/components/page-intro.tsx";
import { publisherShopPath, type publishers } from "#app/features/publishers/publisher.ts";
import { publisherProfiles } from "#app/features/publishers/publisher-profiles.ts";
import { allPublishers, guidance } from "./navigation.ts";

type PublisherIntroProps = { publisher: (typeof publishers)[number]; children?: ReactNode };

/** The head of every publisher's page: who it is, what schools order, where to ask. */
export function PublisherIntro({ publisher, children }: PublisherIntroProps) {
  const { name, slug } = publisher;
  const { description, knownFor } = publisherProfiles[slug];
  return (
    <>
      <PageIntro title={name} parent={allPublishers}>
        <p>{description}</p>
      </PageIntro>
      <div className="page pt-6">
        <ul aria-label="Known for" className="flex flex-wrap gap-x-3 gap-y-1 text-15 text-muted">
          {knownFor.map((series) => (
            <li
              key={series}
              className="after:ml-3 after:text-line-strong after:content-['/'] last:after:content-none"
            >
              {series}
            </li>
          ))}
        </ul>
        {children}
        <div className="mt-6 flex flex-wrap gap-3">
          <Link to={guidance.to} className={buttonClass()}>
            Get Resource Guidance
          </Link>
          <Link to={publisherShopPath(name)} className={buttonClass({ variant: "secondary" })}>
            All books by {name}
          </Link>
        </div>
      </div>
    </>
  );
}
