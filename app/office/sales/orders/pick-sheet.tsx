import { publisherName } from "#app/features/books/book.ts";
import { printedIsbn } from "#app/features/books/isbn.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatMinute } from "#shared/text/dates.ts";
import type { PrintedOrder } from "./document.admin-queries.ts";
import { pickLines } from "./pick-list.ts";

/** Each title once, with the copies for all orders and how many each order gets. */
export function PickSheet({ orders }: { orders: readonly PrintedOrder["order"][] }) {
  const open = orders.filter(({ status }) => status !== "cancelled");
  const lines = pickLines(open);
  const copies = lines.reduce((sum, line) => sum + line.copies, 0);
  const hasPlaces = lines.some(({ shelf }) => shelf !== null);
  return (
    <>
      <p className="figures mb-4">
        {countOf(open.length, "order")}, {countOf(lines.length, "title")}, {countOf(copies, "copy", "copies")}
        . {formatMinute(new Date().toISOString())}
      </p>
      <table aria-label="Books to pick" className="figures w-full">
        <thead className="text-13 text-muted">
          <tr className="border-b border-line-strong text-left">
            <th scope="col" className="w-16 py-1.5 font-semibold">
              Picked
            </th>
            {hasPlaces && (
              <th scope="col" className="w-1/4 py-1.5 pr-3 font-semibold">
                Shelf place
              </th>
            )}
            <th scope="col" className="py-1.5 font-semibold">
              Book
            </th>
            <th scope="col" className="py-1.5 pl-3 text-right font-semibold whitespace-nowrap">
              Copies
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ key, title, publisher, isbn, shelf, copies: needed, orders: of }) => (
            <tr key={key} className="break-inside-avoid border-b border-line align-top">
              <td className="py-2">
                <span aria-hidden="true" className="inline-block size-4 border border-ink" />
              </td>
              {hasPlaces && <td className="py-1.5 pr-3 font-semibold wrap-anywhere">{shelf}</td>}
              <td className="py-1.5">
                <p className="font-semibold wrap-anywhere">{title}</p>
                <p className="text-13 text-muted">
                  {publisherName(publisher)}
                  {isbn && `, ${printedIsbn({ isbn }) ?? isbn}`}
                </p>
                <p className="text-13 text-muted">
                  {of.map((one) => `${one.number}: ${one.copies}`).join(" · ")}
                </p>
              </td>
              <td className="py-1.5 pl-3 text-right text-17 font-semibold">{needed}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
