import { useParams } from "react-router";
import { BooklistPage } from "#app/features/admin/booklists/booklist-page.tsx";

export default function BooklistRoute() {
  const { booklistId = "" } = useParams();
  return <BooklistPage key={booklistId} id={booklistId === "new" ? null : booklistId} />;
}
