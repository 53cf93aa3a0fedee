import type { ListState } from "#app/lib/react/list-state.ts";
import { CompactSelect } from "./compact-select.tsx";

type ListFilterProps = {
  /** The filter's query parameter. */
  name: string;
  /** Such as 'Filter by status'. */
  label: string;
  /** The label for no filter. */
  all: string;
  choices: readonly { value: string; label: string }[];
  state: Pick<ListState, "filter" | "change">;
};

/** Filters a list by one of its columns. A value from the URL that is not among the choices is still shown. */
export function ListFilter({ name, label, all, choices, state }: ListFilterProps) {
  const value = state.filter(name);
  const isListed = value === "" || choices.some((choice) => choice.value === value);
  return (
    <CompactSelect
      aria-label={label}
      className="min-w-0 grow basis-36 @4xl:max-w-72"
      value={value}
      onChange={(event) => state.change({ [name]: event.target.value })}
    >
      <option value="">{all}</option>
      {!isListed && <option value={value}>{value}</option>}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </CompactSelect>
  );
}
