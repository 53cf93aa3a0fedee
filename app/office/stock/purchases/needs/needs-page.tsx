import { Link, useSearchParams } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { changedParams } from "#app/lib/react/list-state.ts";
import { usePublisherNames } from "#app/office/catalogue/books/publisher-statistics.tsx";
import { CompactSelect } from "#app/office/components/compact-select.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { dayOf, termKey } from "#app/office/frame/periods/period.ts";
import { listSchoolTerms } from "#app/office/frame/periods/school-term.admin-queries.ts";
import { listSuppliers } from "#app/office/stock/suppliers/supplier.admin-queries.ts";
import type { SchoolTerm } from "#shared/owner/settings.ts";
import { formatDay } from "#shared/text/dates.ts";
import { listNeeds } from "./need.admin-queries.ts";
import { openTerms, usualTerm } from "./need.ts";
import { NeedsForm } from "./needs-form.tsx";

/** What a school term needs and the shop lacks, for making drafts. */
export function NeedsPage() {
  const terms = useAdminQuery(["settings", "terms"], listSchoolTerms);
  const failure = readFailure("school terms", terms);
  return (
    <AdminPage
      title="What a term needs"
      lead="From booklists, the same term last year and waiting customers. What customers have ordered has already left the stock."
      actions={
        <Link to="/admin/purchases" className={buttonClass({ variant: "quiet", size: "small" })}>
          All purchase orders
        </Link>
      }
    >
      {failure && <RetryNote {...failure} />}
      {terms.data ? <Needs terms={terms.data} /> : !failure && <Skeleton className="h-96" />}
    </AdminPage>
  );
}

function Needs({ terms }: { terms: readonly SchoolTerm[] }) {
  const [params, setParams] = useSearchParams();
  const today = dayOf(new Date());
  const open = openTerms(terms, today);
  const term = open.find((one) => termKey(one) === params.get("term")) ?? usualTerm(terms, today);
  const suppliers = useAdminQuery(["suppliers", "list"], listSuppliers).data ?? [];
  const publishers = usePublisherNames().all;
  const [supplier, publisher] = [params.get("supplier") ?? "", params.get("publisher") ?? ""];
  const covered = params.get("covered") === "yes";
  const query = { from: term?.from ?? "", to: term?.to ?? "", supplier, publisher, covered };
  const found = useAdminQuery(["purchases", "needs", query], (client) => listNeeds(client, query), {
    enabled: term !== undefined,
    keepPrevious: true,
  });
  const choose = (name: string, value: string) =>
    setParams((now) => changedParams(now, { [name]: value }), { preventScrollReset: true });

  if (!term)
    return (
      <p>
        The settings have no current or future school term.{" "}
        <Link to="/admin/settings" className="-my-2.5 inline-block py-2.5 font-semibold text-green underline">
          Add the next one
        </Link>{" "}
        to see what it needs.
      </p>
    );
  const failure = readFailure("what the term needs", found);
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form's fields */}
      <div role="group" aria-label="Filters" className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2">
        <CompactSelect
          aria-label="Term"
          value={termKey(term)}
          onChange={({ target }) => choose("term", target.value)}
        >
          {open.map((one) => (
            <option key={termKey(one)} value={termKey(one)}>
              {one.name}
              {one.from <= today ? " (current)" : ""}
            </option>
          ))}
        </CompactSelect>
        <CompactSelect
          aria-label="Filter by supplier"
          value={supplier}
          onChange={({ target }) => choose("supplier", target.value)}
        >
          <option value="">All suppliers</option>
          {suppliers
            .filter(({ hidden }) => !hidden)
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          <option value="none">Without a supplier</option>
        </CompactSelect>
        <CompactSelect
          aria-label="Filter by publisher"
          value={publisher}
          onChange={({ target }) => choose("publisher", target.value)}
        >
          <option value="">All publishers</option>
          {publishers.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </CompactSelect>
        <label className="flex min-h-11 items-center gap-2 text-15">
          <input
            type="checkbox"
            className="size-5 shrink-0 accent-green"
            checked={covered}
            onChange={({ target }) => choose("covered", target.checked ? "yes" : "")}
          />
          Include titles with enough copies
        </label>
      </div>
      <p className="figures mb-4 text-13 text-muted">
        {term.name}: {formatDay(term.from)} to {formatDay(term.to)}
      </p>
      {failure && <RetryNote {...failure} />}
      {found.data ? (
        <NeedsForm
          key={termKey(term)}
          needs={found.data.needs}
          found={found.data.found}
          suppliers={suppliers.filter(({ hidden }) => !hidden)}
        />
      ) : (
        !failure && <Skeleton className="h-96" />
      )}
    </>
  );
}
