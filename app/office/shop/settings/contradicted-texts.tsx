import { Link } from "react-router";
import { Callout } from "#app/components/callout.tsx";
import { contradictions } from "#shared/owner/contradictions.ts";
import { type SettingGroup, type Shop, settings } from "#shared/owner/settings.ts";

/** The saved texts that a setting contradicts, in the section of either. */
export function ContradictedTexts({ group, shop }: { group: SettingGroup; shop: Shop }) {
  const found = contradictions(shop).filter(({ name, decidedBy }) =>
    [name, decidedBy].some((each) => settings[each].group === group),
  );
  if (found.length === 0) return null;
  return (
    <div className="mb-6">
      <Callout tone="warning">
        <p className="font-semibold">
          {found.length === 1 ? "A text contradicts" : "Some texts contradict"} the settings:
        </p>
        <ul className="mt-1 flex list-disc flex-col gap-1 pl-5">
          {found.map(({ name, sentence, but }) => (
            <li key={`${name} ${sentence} ${but}`} className="wrap-anywhere">
              <Link to={`?group=${settings[name].group}`} className="text-green underline underline-offset-4">
                {settings[name].label}
              </Link>
              : “{sentence}”, but {but}.
            </li>
          ))}
        </ul>
      </Callout>
    </div>
  );
}
