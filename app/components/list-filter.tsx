import type { ListState } from "#app/lib/list-state.ts";
import { CompactSelect } from "./compact-select.tsx";

type ListFilterProps = {
  /** The filter's name in the address. */
  name: string;
  /** For instance 'Filter by status'. */
  label: string;
  /** What stands for no filter. */
  all: string;
  choices: readonly { value: string; label: string }[];
  state: Pick<ListState, "filter" | "change">;
};

/** Narrows a list by one of its columns. A value of the address that is no choice is shown all the same. */
export function ListFilter({ name, label, all, choices, state }: ListFilterProps) {
  const value = state.filter(name);
  const known = value === "" || choices.some((choice) => choice.value === value);
  return (
    <CompactSelect
      aria-label={label}
      className="min-w-0 grow @4xl:max-w-72 @4xl:grow-0"
      value={value}
      onChange={(event) => state.change({ [name]: event.target.value })}
    >
      <option value="">{all}</option>
      {!known && <option value={value}>{value}</option>}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </CompactSelect>
  );
}
