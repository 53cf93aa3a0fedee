import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { Icon } from "#app/components/icon.tsx";
import { LIST_PAGE_SIZE, type ListState } from "#app/lib/react/list-state.ts";
import { countOf } from "#shared/text/count-of.ts";

type ListPagesProps = {
  state: Pick<ListState, "page" | "hrefOfPage">;
  /** Exact number of rows on all pages; undefined until known. */
  total: number | undefined;
  /** The noun for the rows, singular and plural. */
  one: string;
  many: string;
};

const count = new Intl.NumberFormat("en-GB");

/** '51–100 of 10,214 books' and links to the other pages. */
export function ListPages({ state, total, one, many }: ListPagesProps) {
  // An empty list says so itself.
  if (total === undefined || (total === 0 && state.page === 1)) return <div className="h-11" />;
  const pages = Math.max(1, Math.ceil(total / LIST_PAGE_SIZE));
  const first = (state.page - 1) * LIST_PAGE_SIZE + 1;
  const last = Math.min(state.page * LIST_PAGE_SIZE, total);
  return (
    <nav aria-label="Pages" className="flex min-h-11 flex-wrap items-center justify-between gap-3">
      <p className="figures text-muted">
        {total > LIST_PAGE_SIZE && first <= last
          ? `${count.format(first)}–${count.format(last)} of ${countOf(total, one, many)}`
          : countOf(total, one, many)}
      </p>
      {(pages > 1 || state.page > 1) && (
        <div className="-mx-2 flex items-center print:hidden @sm:mx-0 @sm:gap-1">
          <PageLink
            to={state.page > 1 ? state.hrefOfPage(1) : null}
            label="First page"
            icon="chevron-left"
            double
          />
          <PageLink
            to={state.page > 1 ? state.hrefOfPage(Math.min(state.page - 1, pages)) : null}
            label="Previous page"
            icon="chevron-left"
          />
          <span className="figures px-1 whitespace-nowrap">
            Page {count.format(state.page)} of {count.format(pages)}
          </span>
          <PageLink
            to={state.page < pages ? state.hrefOfPage(state.page + 1) : null}
            label="Next page"
            icon="chevron-right"
          />
          <PageLink
            to={state.page < pages ? state.hrefOfPage(pages) : null}
            label="Last page"
            icon="chevron-right"
            double
          />
        </div>
      )}
    </nav>
  );
}

type PageLinkProps = {
  to: string | null;
  label: string;
  icon: "chevron-left" | "chevron-right";
  double?: boolean;
};

function PageLink({ to, label, icon, double }: PageLinkProps) {
  const className = buttonClass({ variant: "quiet", size: "small", className: "min-w-11 gap-0 px-0" });
  const icons = (
    <>
      <Icon name={icon} size={18} />
      {double && <Icon name={icon} size={18} className="-ml-3" />}
    </>
  );
  if (to === null)
    return (
      <span aria-hidden="true" className={`${className} opacity-30`}>
        {icons}
      </span>
    );
  return (
    <Link to={to} aria-label={label} className={className}>
      {icons}
    </Link>
  );
}
