import { Link } from "react-router";
import type { GridPublisher } from "./grid-publishers.ts";
import { publisherPagePath } from "./publisher.ts";
import { Wordmark } from "./wordmark.tsx";

/** Publishers in a ruled grid, each linking to its page. */
export function PublisherGrid({ publishers, level = 3 }: { publishers: GridPublisher[]; level?: 2 | 3 }) {
  const Name = level === 2 ? "h2" : "h3";
  return (
    <ul className="grid border-t border-l border-line sm:grid-cols-2 lg:grid-cols-3">
      {publishers.map((publisher) => (
        <li key={publisher.slug} className="border-r border-b border-line">
          <Link to={publisherPagePath(publisher.slug)} className="group publisher-cell">
            <Name className="text-25 font-bold group-hover:text-green">
              <Wordmark publisher={publisher} />
            </Name>
            <p className="text-15 text-muted">{publisher.series}</p>
          </Link>
        </li>
      ))}
    </ul>
  );
}
