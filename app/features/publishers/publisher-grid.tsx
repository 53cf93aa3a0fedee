import { Link } from "react-router";
import { publisherPagePath, publishers } from "./publisher.ts";
import { publisherProfiles } from "./publisher-profiles.ts";
import { Wordmark } from "./wordmark.tsx";

/** The six publishers in a ruled grid, each linking to its page. */
export function PublisherGrid({ level = 3 }: { level?: 2 | 3 }) {
  const Name = level === 2 ? "h2" : "h3";
  return (
    <ul className="grid border-t border-l border-line sm:grid-cols-2 lg:grid-cols-3">
      {publishers.map(({ name, slug }) => (
        <li key={slug} className="border-r border-b border-line">
          <Link
            to={publisherPagePath(slug)}
            className="group flex h-full flex-col justify-between gap-3 p-5 sm:min-h-36 sm:gap-6 sm:p-6 hover:bg-surface active:bg-tint"
          >
            <Name className="text-25 font-bold group-hover:text-green">
              <Wordmark name={name} />
            </Name>
            <p className="text-15 text-muted">{publisherProfiles[slug].knownFor.slice(0, 3).join(", ")}</p>
          </Link>
        </li>
      ))}
    </ul>
  );
}
