import { Badge } from "#app/components/badge.tsx";
import { Panel } from "#app/components/panel.tsx";
import { RetryNote } from "#app/components/retry-note.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { readFailure, useAdminQuery } from "#app/features/admin/admin-data.ts";
import { listLowStockBooks } from "./book.admin-queries.ts";

/** The dashboard shows this many (spec section 9). */
const SHOWN = 5;

/** Books of which few copies are left, fewest first. */
export function LowStock() {
  const books = useAdminQuery(["books", "low-stock"], (client) => listLowStockBooks(client, SHOWN), {
    refreshing: true,
  });
  const failure = readFailure("low stock", books);
  return (
    <Panel title="Low Stock Alert">
      {failure && <RetryNote {...failure} />}
      {books.isPending && <Skeleton className="h-40" />}
      {books.data?.length === 0 && <p className="py-2 text-muted">All books are well stocked</p>}
      <ul>
        {books.data?.map((book) => (
          <li
            key={book.id}
            className="flex items-center justify-between gap-4 border-t border-line py-2 first:border-t-0"
          >
            <div className="min-w-0">
              <p className="line-clamp-2 font-semibold">{book.title}</p>
              <p className="text-13 text-muted">{book.publisher ?? "Unknown"}</p>
            </div>
            <Badge variant={book.stock_quantity === 0 ? "destructive" : "warning"}>
              {book.stock_quantity} left
            </Badge>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
