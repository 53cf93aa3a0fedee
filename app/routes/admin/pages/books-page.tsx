import { useCallback, useState } from "react";
import { Link } from "react-router";
import { Button, buttonClass } from "#app/components/button.tsx";
import { Icon } from "#app/components/office-icon.tsx";
import { AdminPage } from "#app/features/admin/admin-page.tsx";
import { BookDialog, type BookTarget } from "#app/features/admin/books/book-dialog.tsx";
import { BookInventory } from "#app/features/admin/books/book-inventory.tsx";
import {
  PublisherStatistics,
  usePublisherStatistics,
} from "#app/features/admin/books/publisher-statistics.tsx";
import { allPublisherNames } from "#app/features/publishers/publisher.ts";

export default function BooksPage() {
  const [target, setTarget] = useState<BookTarget | null>(null);
  const edit = useCallback((id: string) => setTarget({ mode: "edit", id }), []);
  const { data: statistics = [] } = usePublisherStatistics();
  // Books without a publisher are counted as 'Unknown', which is no name to choose.
  const publishers = allPublisherNames(
    statistics.map(({ publisher }) => publisher).filter((name) => name !== "Unknown"),
  );
  return (
    <AdminPage
      title="Book Management"
      actions={
        <>
          <Link to="/admin/books/import" className={buttonClass({ variant: "secondary" })}>
            <Icon name="upload" size={18} />
            Import CSV
          </Link>
          <Button onClick={() => setTarget({ mode: "add" })}>
            <Icon name="plus" />
            Add Book
          </Button>
        </>
      }
    >
      <PublisherStatistics />
      <div className="mt-6">
        <BookInventory publishers={publishers} onEdit={edit} />
      </div>
      {target && <BookDialog target={target} publishers={publishers} onClose={() => setTarget(null)} />}
    </AdminPage>
  );
}
