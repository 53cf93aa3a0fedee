import { lazy } from "react";
import { useParams } from "react-router";
import { privateHead } from "#app/features/site/head.ts";
import type { Route } from "./+types/booklists.ts";

export const meta = ({ params }: Route.MetaArgs) =>
  privateHead(`${params.booklistId ? "Booklist" : "Booklists"} | Admin Panel`);

/** Downloaded only once the role is known (decision 12). */
const BooklistsPage = lazy(async () => ({
  default: (await import("#app/office/schools/booklists/booklists-page.tsx")).BooklistsPage,
}));
const BooklistPage = lazy(async () => ({
  default: (await import("#app/office/schools/booklists/booklist-page.tsx")).BooklistPage,
}));
const ListImportPage = lazy(async () => ({
  default: (await import("#app/office/schools/booklists/import/list-import-page.tsx")).ListImportPage,
}));

/** All lists, one, a new one, or the import of many: one route, because each costs every visitor's first load some bytes. */
export default function Booklists() {
  const { booklistId } = useParams();
  if (!booklistId) return <BooklistsPage />;
  if (booklistId === "import") return <ListImportPage />;
  return <BooklistPage key={booklistId} id={booklistId === "new" ? null : booklistId} />;
}
