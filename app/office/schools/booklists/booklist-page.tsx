import { useState } from "react";
import { Link } from "react-router";
import { Skeleton } from "#app/components/skeleton.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { isUuid } from "#shared/text/uuid.ts";
import { type BooklistRecord, readBooklist } from "./booklist.admin-queries.ts";
import { BooklistEditor } from "./booklist-editor.tsx";

/** A list in the editor; a new one when there is no id. */
export function BooklistPage({ id }: { id: string | null }) {
  return id === null ? <BooklistEditor loaded={null} onReload={() => {}} /> : <LoadedBooklist id={id} />;
}

function LoadedBooklist({ id }: { id: string }) {
  const list = useAdminQuery(["booklists", "record", id], (client) => readBooklist(client, id), {
    fresh: true,
    enabled: isUuid(id),
  });
  // The list is not reloaded while it is being edited: saving detects whether it has changed.
  const [loaded, setLoaded] = useState<BooklistRecord | null>(null);
  const [reloads, setReloads] = useState(0);
  if (!loaded && list.data && !list.isFetching) setLoaded(list.data);
  if (loaded)
    return (
      <BooklistEditor
        key={reloads}
        loaded={loaded}
        onReload={() => {
          setLoaded(null);
          setReloads(reloads + 1);
          void list.refetch();
        }}
      />
    );

  const failure = readFailure("booklist", list);
  const isGone = list.data === null || !isUuid(id);
  return (
    <AdminPage title="Booklist">
      {failure && <RetryNote {...failure} />}
      {isGone && !list.isFetching && (
        <p role="alert">
          This booklist no longer exists. <Link to="/admin/booklists">All booklists</Link>
        </p>
      )}
      {!failure && !isGone && <Skeleton className="h-64" />}
    </AdminPage>
  );
}
