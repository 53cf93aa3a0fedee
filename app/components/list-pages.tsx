import { Link } from "react-router";
import { LIST_PAGE_SIZE, type ListState } from "#app/lib/list-state.ts";
import { buttonClass } from "./button.tsx";
import { Icon } from "./icon.tsx";

type ListPagesProps = {
  state: Pick<ListState, "page" | "hrefOfPage">;
  /** Exact number of rows in all pages; undefined until known. */
  total: number | undefined;
  /** What is counted, for one and for many. */
  one: string;
  many: string;
};

const counted = new Intl.NumberFormat("en-GB");

/** '51–100 of 10,214 books' and the way to the other pages, as links. */
export function ListPages({ state, total, one, many }: ListPagesProps) {
  if (total === undefined) return <div className="h-11" />;
  const pages = Math.max(1, Math.ceil(total / LIST_PAGE_SIZE));
  const first = (state.page - 1) * LIST_PAGE_SIZE + 1;
  const last = Math.min(state.page * LIST_PAGE_SIZE, total);
  const words = total === 1 ? one : many;
  return (
    <nav aria-label="Pages" className="flex min-h-11 flex-wrap items-center justify-between gap-3">
      <p className="figures text-muted">
        {total > LIST_PAGE_SIZE && first <= last
          ? `${counted.format(first)}–${counted.format(last)} of ${counted.format(total)} ${words}`
          : `${counted.format(total)} ${words}`}
      </p>
      {(pages > 1 || state.page > 1) && (
        <div className="-mx-2 flex items-center @sm:mx-0 @sm:gap-1">
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
            Page {counted.format(state.page)} of {counted.format(pages)}
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
  const sign = (
    <>
      <Icon name={icon} size={18} />
      {double && <Icon name={icon} size={18} className="-ml-3" />}
    </>
  );
  if (to === null)
    return (
      <span aria-hidden="true" className={`${className} opacity-30`}>
        {sign}
      </span>
    );
  return (
    <Link to={to} aria-label={label} className={className}>
      {sign}
    </Link>
  );
}
