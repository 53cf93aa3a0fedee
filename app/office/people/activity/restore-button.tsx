import { Button } from "#app/components/button.tsx";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { restoreEntry } from "./activity.admin-queries.ts";
import { ACTIVITY_TABLES, type ActivityEntry, isActivityTable } from "./activity.ts";
import { restoreRefusal } from "./restore-refusal.ts";

export function RestoreButton({ entry }: { entry: ActivityEntry & { subject: string } }) {
  const noun = isActivityTable(entry.table) ? ACTIVITY_TABLES[entry.table].one : "Entry";
  const isChange = entry.action === "change";
  const [verb, running] = isChange ? ["Undo", "Undoing..."] : ["Restore", "Restoring..."];
  const restore = useAdminMutation({
    run: (client, deletion: ActivityEntry) => restoreEntry(client, deletion),
    success: () => ({ title: isChange ? "Change undone" : `${noun} restored` }),
    failure: isChange ? "Failed to undo the change" : `Failed to restore ${noun.toLowerCase()}`,
    reasonOf: restoreRefusal,
  });
  return (
    <Button
      variant="secondary"
      size="small"
      busy={restore.isPending}
      onClick={() => restore.mutate(entry)}
      aria-label={isChange ? `Undo the change to ${entry.subject}` : `Restore ${entry.subject}`}
    >
      <OfficeIcon name="undo" size={18} />
      {restore.isPending ? running : verb}
    </Button>
  );
}
