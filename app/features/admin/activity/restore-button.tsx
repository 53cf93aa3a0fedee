import { Button } from "#app/components/button.tsx";
import { Icon } from "#app/components/office-icon.tsx";
import { useAdminMutation } from "#app/features/admin/admin-data.ts";
import { restoreEntry } from "./activity.admin-queries.ts";
import { ACTIVITY_TABLES, type ActivityEntry, isActivityTable } from "./activity.ts";
import { restoreRefusal } from "./restore-refusal.ts";

/** Brings back what an entry deleted. */
export function RestoreButton({ entry }: { entry: ActivityEntry & { subject: string } }) {
  const noun = isActivityTable(entry.table) ? ACTIVITY_TABLES[entry.table].one : "Entry";
  const restore = useAdminMutation({
    run: (client, gone: ActivityEntry) => restoreEntry(client, gone),
    success: () => ({ title: `${noun} restored` }),
    failure: `Failed to restore ${noun.toLowerCase()}`,
    reasonOf: restoreRefusal,
  });
  return (
    <Button
      variant="secondary"
      size="small"
      busy={restore.isPending}
      onClick={() => restore.mutate(entry)}
      aria-label={`Restore ${entry.subject}`}
    >
      <Icon name="undo" size={18} />
      {restore.isPending ? "Restoring..." : "Restore"}
    </Button>
  );
}
