import { Button } from "#app/components/button.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminMutation, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { firstShop, type SettingName, settings } from "#shared/owner/settings.ts";
import { formatMinute } from "#shared/text/dates.ts";
import {
  type EarlierValue,
  findSettings,
  listEarlierValues,
  type SavedSettings,
  updateSettings,
} from "./setting.admin-queries.ts";
import { settingText } from "./setting-text.ts";

/** How many are listed: older ones are in the activity log. */
const MAX_SHOWN = 20;

type EarlierValuesProps = {
  names: readonly SettingName[];
  seen: SavedSettings["seen"];
  /** While something is typed above, which would be lost. */
  disabled: boolean;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  onRestored: (saved: SavedSettings) => void;
};

/** What a section's settings were before, each with a button that brings it back. */
export function EarlierValues({ names, seen, disabled, isOpen, onOpen, onRestored }: EarlierValuesProps) {
  const query = useAdminQuery(["settings", "earlier"], listEarlierValues);
  const failure = readFailure("earlier values", query);
  const restore = useAdminMutation({
    run: async (client, { name, value }: EarlierValue) => {
      await updateSettings(client, { [name]: value ?? firstShop[name] }, seen);
      return findSettings(client);
    },
    success: (_, { name }) => ({ title: "Setting restored", description: settings[name].label }),
    onSuccess: onRestored,
    failure: "Failed to restore the setting",
  });
  const shown = (query.data ?? []).filter(({ name }) => names.includes(name)).slice(0, MAX_SHOWN);
  if (failure) return <RetryNote {...failure} />;
  if (shown.length === 0) return null;
  return (
    <details
      className="mt-8 border-t border-line"
      open={isOpen}
      onToggle={({ currentTarget }) => onOpen(currentTarget.open)}
    >
      <summary className="flex min-h-11 cursor-pointer items-center font-semibold">Earlier values</summary>
      <ul>
        {shown.map((earlier) => {
          const { id, name, value, until, changedBy } = earlier;
          const { label } = settings[name];
          return (
            <li
              key={id}
              className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-t border-line py-3"
            >
              <div className="min-w-0 grow basis-64">
                <p className="font-semibold">{label}</p>
                <p className="line-clamp-6 wrap-anywhere whitespace-pre-line">
                  {settingText(name, value ?? firstShop[name]) || "Empty"}
                </p>
                <p className="text-13 text-muted">
                  Until {formatMinute(until)}, when {changedBy} changed it
                </p>
              </div>
              <Button
                variant="secondary"
                disabled={disabled || restore.isPending}
                aria-label={`Restore ${label} as it was until ${formatMinute(until)}`}
                onClick={() => restore.mutate(earlier)}
              >
                Restore
              </Button>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
