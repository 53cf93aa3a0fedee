import { type ChangeEvent, type FormEvent, useId, useState } from "react";
import { Form, Link, useLocation, useNavigate } from "react-router";
import { Badge } from "#app/components/badge.tsx";
import { Button, buttonClass } from "#app/components/button.tsx";
import { controlClass } from "#app/components/control.ts";
import { Icon } from "#app/components/icon.tsx";
import type { Publisher } from "#app/features/publishers/publisher.ts";
import { SEARCH_LENGTH } from "#shared/text/search-text.ts";
import type { Facet } from "./catalogue.queries.ts";
import {
  type CatalogueQuery,
  catalogueHref,
  FILTERS,
  type Field,
  type Filter,
  MORE_FILTERS,
  readCatalogueQuery,
} from "./catalogue-query.ts";
import type { ChoiceField } from "./more-filters.ts";

type Choices = Record<Filter, string[]>;

const collator = /* @__PURE__ */ new Intl.Collator("en");

/**
 * The choices of the filters. Publishers are the shop's own and those in the catalogue, without those that it leaves out
 * here; an active filter is always among the choices, or the form would drop it.
 */
export function filterChoices(
  facets: Facet[],
  query: CatalogueQuery,
  publishers: readonly Pick<Publisher, "name" | "in_filter">[],
): Choices {
  const values = (facet: Filter) => facets.filter((row) => row.facet === facet).map((row) => row.value);
  const hidden = new Set(publishers.filter((p) => !p.in_filter).map((p) => p.name));
  const known = [...publishers.map((p) => p.name), ...values("publisher")];
  const sorted = (list: string[], active: string) =>
    [...new Set(active ? [...list, active] : list)].sort(collator.compare);
  return {
    publisher: sorted(
      known.filter((name) => !hidden.has(name)),
      query.publisher,
    ),
    course: sorted(values("course"), query.course),
    subject: sorted(values("subject"), query.subject),
  };
}

type CatalogueFiltersProps = {
  query: CatalogueQuery;
  choices: Choices;
  /** The filters in addition to the specified ones. */
  more: ChoiceField[];
  sorting: ChoiceField;
};

const ALL_FILTERS = [...FILTERS, ...MORE_FILTERS] as const;
const inside = ALL_FILTERS.slice(1);

/** Search, publisher and Advanced Filters: plain GET forms whose fields are the query parameters. */
export function CatalogueFilters(props: CatalogueFiltersProps) {
  const { query } = props;
  const isSet = (name: Field) => query[name] !== "";
  const active = ALL_FILTERS.some(isSet);
  return (
    <div className="flex flex-col gap-3">
      <SearchForm {...props} />
      <div className="border-y border-line">
        {/* A publisher alone shows in the list above; keeping this closed leaves the results in view on a phone. */}
        <details className="group" open={inside.some(isSet) || undefined}>
          <summary className="flex min-h-12 list-none items-center gap-3 font-semibold [&::-webkit-details-marker]:hidden">
            <Icon name="filter" />
            Advanced Filters
            {active && <Badge>Active</Badge>}
            <Icon name="chevron-down" className="ml-auto transition-transform group-open:rotate-180" />
          </summary>
          <AdvancedForm {...props} />
        </details>
        {active && (
          <Link
            to="/shop"
            preventScrollReset
            className={buttonClass({ variant: "secondary", className: "mb-4" })}
          >
            Clear All
          </Link>
        )}
      </div>
    </div>
  );
}

/** Navigates like the form, but to the canonical URL: the browser would also include each empty field. */
function useNavigateToQuery() {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return (form: HTMLFormElement) => {
    const fields = new URLSearchParams();
    for (const [name, value] of new FormData(form)) fields.set(name, String(value));
    const href = catalogueHref(readCatalogueQuery(fields));
    void navigate(href, { preventScrollReset: true, replace: href === pathname + search });
  };
}

/**
 * The state of a filter's select: the URL's value, or what was chosen since. A choice submits the form immediately;
 * without JavaScript its button does. The element is not replaced, so that it keeps the focus.
 */
function useFilterChoice(current: string) {
  const show = useNavigateToQuery();
  const [choice, setChoice] = useState({ current, chosen: current });
  if (choice.current !== current) setChoice({ current, chosen: current });
  return {
    value: choice.chosen,
    onChange({ currentTarget: { value, form } }: ChangeEvent<HTMLSelectElement>) {
      setChoice({ current, chosen: value });
      if (form) show(form);
    },
  };
}

function SearchForm({ query, choices, sorting }: CatalogueFiltersProps) {
  const show = useNavigateToQuery();
  function search(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    show(event.currentTarget);
  }
  return (
    <Form
      action="/shop"
      role="search"
      aria-label="Books"
      onSubmit={search}
      className="grid grid-cols-2 gap-3 lg:grid-cols-[1fr_auto_auto]"
    >
      <HiddenFields query={query} names={inside} />
      <div className="relative col-span-2 lg:col-span-1">
        <label className="sr-only" htmlFor="shop-search">
          Search the catalogue
        </label>
        <input
          key={query.q}
          id="shop-search"
          type="search"
          name="q"
          defaultValue={query.q}
          maxLength={SEARCH_LENGTH * 2}
          enterKeyHint="search"
          placeholder="Title, publisher, course, subject, ISBN"
          className={`${controlClass} pr-14`}
        />
        <button
          type="submit"
          aria-label="Search"
          className="absolute inset-y-0 right-0 grid w-12 place-items-center rounded-r-control text-green hover:bg-tint"
        >
          <Icon name="search" />
        </button>
      </div>
      <FilterField {...publisherField} options={choices.publisher} current={query.publisher} isShort />
      <FilterField {...sorting} current={query.sort} isShort />
    </Form>
  );
}

function AdvancedForm({ query, choices, more }: CatalogueFiltersProps) {
  return (
    <Form action="/shop" aria-label="Advanced Filters" className="grid gap-4 pt-1 pb-5 sm:grid-cols-3">
      <HiddenFields query={query} names={["q", "sort"]} />
      {advancedFilters.map((field) => (
        <FilterField key={field.name} {...field} options={choices[field.name]} current={query[field.name]} />
      ))}
      {more.map((field) => (
        <FilterField key={field.name} {...field} current={query[field.name]} />
      ))}
      <noscript>
        <Button type="submit">Apply Filters</Button>
      </noscript>
    </Form>
  );
}

const publisherField = { name: "publisher", label: "Publisher", all: "All Publishers" } as const;
const advancedFilters = [
  publisherField,
  { name: "course", label: "Course", all: "All Courses" },
  { name: "subject", label: "Subject", all: "All Subjects" },
] as const;

type FilterFieldProps = Omit<ChoiceField, "options"> & {
  options: readonly (string | ChoiceField["options"][number])[];
  current: string;
  /** Shows its label to screen readers only; its choices say what it is. */
  isShort?: boolean;
};

function FilterField({ name, label, all, current, options, isShort }: FilterFieldProps) {
  const choice = useFilterChoice(current);
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className={isShort ? "sr-only" : "mb-1.5 block text-15 font-semibold"}>
        {label}
      </label>
      <select id={id} name={name} className={`${controlClass}${isShort ? " lg:w-56" : ""}`} {...choice}>
        <option value="">{all}</option>
        {options.map((option) => {
          const { value, label } = typeof option === "string" ? { value: option, label: option } : option;
          return (
            <option key={value} value={option === value ? undefined : value}>
              {label}
            </option>
          );
        })}
      </select>
    </div>
  );
}

/** The other form's choices as hidden fields, so that submitting this form keeps them. */
function HiddenFields({ query, names }: { query: CatalogueQuery; names: readonly Field[] }) {
  return names
    .filter((name) => query[name])
    .map((name) => <input key={name} type="hidden" name={name} value={query[name]} />);
}
