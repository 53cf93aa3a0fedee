import { readKind } from "#app/features/books/kind-names.ts";
import { useAdminQuery } from "#app/office/frame/admin-data.ts";
import { countOf } from "#shared/text/count-of.ts";
import { countKinds } from "./book.admin-queries.ts";

const words = { book: "book", digital: "digital title", stationery: "stationery title" } as const;

/** '431 books, 3 digital titles and 22 stationery titles'; keeps its height while loading. */
export function KindCounts({ className = "" }: { className?: string }) {
  const { data = [] } = useAdminQuery(["books", "kinds"], countKinds);
  const counted = data
    .filter(({ titles }) => titles > 0)
    .map(({ kind, titles }) => countOf(titles, words[readKind(kind)]));
  return (
    <p className={`figures min-h-6 text-15 text-muted ${className}`}>
      {new Intl.ListFormat("en-GB").format(counted)}
    </p>
  );
}
