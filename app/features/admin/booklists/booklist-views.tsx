import { lazy } from "react";
import { useParams } from "react-router";
import { BooklistPage } from "#app/features/admin/booklists/booklist-page.tsx";

const ListImportPage = lazy(async () => {
  const page = await import("#app/features/admin/booklists/import/list-import-page.tsx");
  return { default: page.ListImportPage };
});

/** A list, a new one, or the import of many: one route, because each costs every visitor's first load some bytes. */
export function BooklistViews() {
  const { booklistId = "" } = useParams();
  if (booklistId === "import") return <ListImportPage />;
  return <BooklistPage key={booklistId} id={booklistId === "new" ? null : booklistId} />;
}
