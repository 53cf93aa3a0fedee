import { lazy } from "react";
import { useParams } from "react-router";
import { privateHead } from "#app/features/site/head.ts";

export const meta = () => privateHead("Booklist | Admin Panel");

/** Downloaded only once the role is known (decision 12). */
const BooklistPage = lazy(async () => ({
  default: (await import("#app/office/schools/booklists/booklist-page.tsx")).BooklistPage,
}));
const ListImportPage = lazy(async () => ({
  default: (await import("#app/office/schools/booklists/import/list-import-page.tsx")).ListImportPage,
}));

/** A list, a new one, or the import of many: one route, because each costs every visitor's first load some bytes. */
export default function Booklist() {
  const { booklistId = "" } = useParams();
  if (booklistId === "import") return <ListImportPage />;
  return <BooklistPage key={booklistId} id={booklistId === "new" ? null : booklistId} />;
}
