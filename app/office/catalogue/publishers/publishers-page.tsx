import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { useAdminQuery } from "#app/office/frame/admin-data.ts";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { MergeDialog } from "./merge-dialog.tsx";
import { listPublisherRows, type PublisherRow } from "./publisher.admin-queries.ts";
import { PublisherDialog } from "./publisher-dialog.tsx";
import { PublisherTable } from "./publisher-table.tsx";

type Opened = { edit: PublisherRow | null } | { merge: PublisherRow };

export function PublishersPage() {
  const publishers = useAdminQuery(["publishers", "list"], listPublisherRows);
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  return (
    <AdminPage
      title="Publishers"
      lead="Menus, pages and order of the publishers that customers see."
      actions={
        <Button onClick={() => setOpened({ edit: null })}>
          <OfficeIcon name="plus" />
          Add Publisher
        </Button>
      }
    >
      <PublisherTable
        publishers={publishers}
        onEdit={(row) => setOpened({ edit: row })}
        onMerge={(row) => setOpened({ merge: row })}
      />
      {opened && "edit" in opened && (
        <PublisherDialog
          loaded={opened.edit}
          count={publishers.data?.length ?? 0}
          onClose={(renamed) => setOpened(renamed ? { merge: renamed } : null)}
        />
      )}
      {opened && "merge" in opened && <MergeDialog publisher={opened.merge} onClose={close} />}
    </AdminPage>
  );
}
