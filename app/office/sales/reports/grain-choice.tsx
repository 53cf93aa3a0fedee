import { useSearchParams } from "react-router";
import { changedParams } from "#app/lib/react/list-state.ts";
import { CompactSelect } from "#app/office/components/compact-select.tsx";
import { type Grain, grains } from "#app/office/frame/periods/period.ts";

type GrainChoiceProps<More extends string> = {
  grain: Grain | More;
  /** Further choices, with their labels. */
  more?: Record<More, string>;
};

/** Chooses whether a column of the chart is a day, a week or a month. */
export function GrainChoice<More extends string = never>({ grain, more }: GrainChoiceProps<More>) {
  const [params, setParams] = useSearchParams();
  return (
    <CompactSelect
      aria-label="Columns"
      value={grain}
      onChange={({ target }) => setParams(changedParams(params, { grain: target.value }))}
    >
      {Object.entries<string>({ ...grains, ...more }).map(([key, label]) => (
        <option key={key} value={key}>
          {label}
        </option>
      ))}
    </CompactSelect>
  );
}
