import { Link } from "react-router";
import { searchPath } from "#app/features/site/navigation.ts";
import { type SearchQuery, TAB_LABELS, TABS, type Tab } from "./search-query.ts";

type SearchTabsProps = { query: SearchQuery; counts: Record<Tab, number> };

/** The tabs are links, so that each has a URL and none needs JavaScript. */
export function SearchTabs({ query, counts }: SearchTabsProps) {
  return (
    <nav aria-label="Results" className="-mx-1 overflow-x-auto border-b border-line">
      <ul className="flex">
        {TABS.map((tab) => (
          <li key={tab}>
            <Link
              to={searchPath(query.q, { tab: tab === "all" ? "" : tab, sort: query.sort })}
              aria-current={tab === query.tab ? "page" : undefined}
              preventScrollReset
              className="flex min-h-12 items-center gap-2 border-b-3 border-transparent px-3 pt-0.75 text-15 font-semibold whitespace-nowrap text-muted hover:text-green focus-visible:-outline-offset-3 aria-[current=page]:border-gold aria-[current=page]:text-ink sm:px-4"
            >
              {TAB_LABELS[tab]}{" "}
              <span className="figures text-13 font-normal text-muted">
                {counts[tab].toLocaleString("en-GB")}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
