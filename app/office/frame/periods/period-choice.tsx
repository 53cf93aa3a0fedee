import { useId } from "react";
import { useSearchParams } from "react-router";
import { changedParams } from "#app/lib/react/list-state.ts";
import { CompactSelect } from "#app/office/components/compact-select.tsx";
import { useAdminQuery } from "#app/office/frame/admin-data.ts";
import { formatDay } from "#shared/text/dates.ts";
import { fixedPeriods, isDay, type Period, termKey } from "./period.ts";
import { listSchoolTerms } from "./school-term.admin-queries.ts";

type PeriodChoiceProps = { period: Period & { key: string } };

/** Chooses the days of a report: a usual period, one of the owner's school terms, or any two days. */
export function PeriodChoice({ period }: PeriodChoiceProps) {
  const [params, setParams] = useSearchParams();
  const { data: terms = [] } = useAdminQuery(["settings", "terms"], listSchoolTerms);
  const choose = (key: string) => setParams(changedParams(params, { period: key, grain: null }));
  const isTerm = terms.some((term) => termKey(term) === period.key);
  const isFixed = Object.hasOwn(fixedPeriods, period.key);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form's fields
    <div role="group" aria-label="Period" className="flex flex-wrap items-end gap-x-3 gap-y-2 print:hidden">
      <CompactSelect
        aria-label="Period"
        value={isFixed || isTerm ? period.key : "days"}
        onChange={({ target }) =>
          choose(target.value === "days" ? `${period.from}_${period.to}` : target.value)
        }
      >
        {Object.entries(fixedPeriods).map(([key, label]) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
        {terms.map((term) => (
          <option key={termKey(term)} value={termKey(term)}>
            {term.name}
          </option>
        ))}
        <option value="days">Other dates</option>
      </CompactSelect>
      <DayField
        label="From"
        day={period.from}
        onChange={(from) => from && choose(`${from}_${later(from, period.to)}`)}
      />
      <DayField
        label="To"
        day={period.to}
        onChange={(to) => to && choose(`${earlier(period.from, to)}_${to}`)}
      />
    </div>
  );
}

const later = (one: string, other: string) => (one > other ? one : other);
const earlier = (one: string, other: string) => (one < other ? one : other);

type DayFieldProps = { label: string; day: string; onChange: (day: string) => void };

/** A date field that calls `onChange` once the date is complete. */
export function DayField({ label, day, onChange }: DayFieldProps) {
  const id = useId();
  return (
    <span className="inline-flex items-center gap-2">
      <label htmlFor={id} className="text-13 text-muted">
        {label}
      </label>
      <input
        // Remounts the field when the day changes elsewhere; typing doesn't change the day.
        key={day}
        id={id}
        type="date"
        defaultValue={day}
        title={day && formatDay(day)}
        onBlur={({ target }) => {
          const typed = target.validity.badInput ? null : target.value;
          if (typed !== null && typed !== day && (typed === "" || isDay(typed))) onChange(typed);
        }}
        onKeyDown={({ key, currentTarget }) => key === "Enter" && currentTarget.blur()}
        className="min-h-11 rounded-control border border-line-strong bg-surface px-2.5 text-15 @4xl:min-h-9"
      />
    </span>
  );
}
