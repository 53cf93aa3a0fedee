import { Link, useNavigate, useParams, useSearchParams } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { publisherName } from "#app/features/books/book.ts";
import { labelsPath, stockCardPath } from "#app/office/catalogue/books/book-paths.ts";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { OfficeLink, useDuty } from "#app/office/frame/duties.tsx";
import { ScanBox } from "#app/office/frame/scanning/scan-box.tsx";
import { useBookScans } from "#app/office/frame/scanning/use-book-scans.ts";
import { LabelsPage } from "#app/office/stock/labels/labels-page.tsx";
import { countOf } from "#shared/text/count-of.ts";
import { isUuid } from "#shared/text/uuid.ts";
import { BookCost } from "./book-cost.tsx";
import { ChangeStock } from "./change-stock.tsx";
import { MovementTable } from "./movement-table.tsx";
import { findStockedBook } from "./stock.admin-queries.ts";

/** A book's movements, or labels: separate routes would enlarge every page's list of routes. */
export function StockPage() {
  return useParams().view === "labels" ? <LabelsPage /> : <StockCard />;
}

function StockCard() {
  const bookId = useSearchParams()[0].get("book") ?? "";
  const navigate = useNavigate();
  const scans = useBookScans((book) => {
    void navigate(stockCardPath(book), { replace: bookId !== "" });
    return `Stock card of ${book.title}`;
  });
  return (
    <AdminPage
      title="Stock card"
      lead="Every movement of a book's copies, and how many were in stock afterwards."
    >
      <div className="mb-6 print:hidden">
        <ScanBox label="Scan or type an ISBN" action="Show" {...scans} />
      </div>
      {isUuid(bookId) ? (
        <>
          <BookHead bookId={bookId} />
          <MovementTable key={bookId} bookId={bookId} />
        </>
      ) : (
        <p>
          <Link
            to="/admin/books"
            className="-my-2.5 inline-block py-2.5 font-semibold text-green underline underline-offset-4"
          >
            Choose a book
          </Link>{" "}
          and click its number of copies, or scan it.
        </p>
      )}
    </AdminPage>
  );
}

function BookHead({ bookId }: { bookId: string }) {
  const seesCosts = useDuty("reports");
  const book = useAdminQuery(["books", "stock", bookId], (client) => findStockedBook(client, bookId), {
    refreshing: true,
  });
  const failure = readFailure("book", book);
  if (failure) return <RetryNote {...failure} />;
  if (book.data === undefined) return <Skeleton className="mb-4 h-14" />;
  if (book.data === null)
    return (
      <p className="mb-4">
        This book was deleted. Its movements are still here; restore the book in Activity.
      </p>
    );
  const { title, publisher, price, stock_quantity } = book.data;
  return (
    <div className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <h2 className="text-20">
          <OfficeLink
            to={`/admin/books?book=${bookId}`}
            duty="catalogue"
            className="-my-2 inline-block py-2 underline decoration-line-strong underline-offset-4 hover:decoration-green"
          >
            {title}
          </OfficeLink>
        </h2>
        <p className="figures text-muted">
          {publisherName(publisher)}, {countOf(stock_quantity, "copy", "copies")} in stock
        </p>
        {seesCosts && <BookCost bookId={bookId} price={price} />}
      </div>
      <div className="flex flex-wrap gap-3 print:hidden">
        <Link to={labelsPath({ book: bookId })} className={buttonClass({ variant: "secondary" })}>
          Print labels
        </Link>
        <ChangeStock book={book.data} />
      </div>
    </div>
  );
}
