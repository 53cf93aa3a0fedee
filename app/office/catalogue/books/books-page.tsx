import { useCallback, useMemo, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { Button, buttonClass } from "#app/components/button.tsx";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { useDuty } from "#app/office/frame/duties.tsx";
import { isUuid } from "#shared/text/uuid.ts";
import { BookDialog, type BookTarget } from "./book-dialog.tsx";
import { BookInventory } from "./book-inventory.tsx";
import { PublisherStatistics, usePublisherNames } from "./publisher-statistics.tsx";

export function BooksPage() {
  const [target, setTarget] = useState<BookTarget | null>(null);
  const [linked, forgetLinked] = useLinkedBook();
  const mayEdit = useDuty("catalogue");
  const shown = mayEdit ? (target ?? linked) : null;
  const edit = useCallback((id: string) => setTarget({ mode: "edit", id }), []);
  const publishers = usePublisherNames();
  return (
    <AdminPage
      title="Book Management"
      actions={
        mayEdit && (
          <>
            <Link to="/admin/books/import" className={buttonClass({ variant: "secondary" })}>
              <OfficeIcon name="upload" size={18} />
              Import a file
            </Link>
            <Button onClick={() => setTarget({ mode: "add" })}>
              <OfficeIcon name="plus" />
              Add Book
            </Button>
          </>
        )
      }
    >
      <BookInventory publishers={publishers.all} onEdit={edit} />
      <div className="mt-6">
        <PublisherStatistics />
      </div>
      {shown && (
        <BookDialog
          target={shown}
          publishers={publishers}
          onClose={() => {
            setTarget(null);
            forgetLinked();
          }}
        />
      )}
    </AdminPage>
  );
}

/** The book in the URL, opened for editing by the dashboard's links. */
function useLinkedBook(): [BookTarget | null, () => void] {
  const [params, setParams] = useSearchParams();
  const id = params.get("book") ?? "";
  const target = useMemo<BookTarget | null>(() => (isUuid(id) ? { mode: "edit", id } : null), [id]);
  const forget = () => {
    if (id === "") return;
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        next.delete("book");
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  };
  return [target, forget];
}
