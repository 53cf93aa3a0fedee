import type { ReactNode } from "react";
import { publisherName } from "#app/features/books/book.ts";
import { printedIsbn } from "#app/features/books/isbn.ts";
import type { DocumentOrder } from "#app/features/documents/document.ts";
import { DocumentPageHead } from "#app/features/documents/document-frame.tsx";
import { formatCedis } from "#shared/text/money.ts";

type OrderItemsProps = {
  items: DocumentOrder["items"];
  /** Shows a tick box for each line, and no prices. */
  packing?: boolean;
  /** The copies of each line that are left to send, of an order that was sent in part. */
  toSend?: ReadonlyMap<string, number>;
  /** The order's name, printed on each page. */
  pageHead?: string;
  /** The table's footer. */
  children?: ReactNode;
};

/** The lines of an order, with their titles at the time. */
export function OrderItems({ items, packing = false, toSend, pageHead, children }: OrderItemsProps) {
  return (
    <table className="figures w-full">
      <thead className="text-13 text-muted">
        {pageHead && <DocumentPageHead>{pageHead}</DocumentPageHead>}
        <tr className="border-b border-line-strong">
          {packing && <Heading className="w-16 text-left">Packed</Heading>}
          <Heading className="text-left">Book</Heading>
          <Heading className="pl-3 text-right">Quantity</Heading>
          {!packing && <Heading className="pl-3 text-right">Price</Heading>}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.id} className="break-inside-avoid border-b border-line align-top">
            {packing && (
              <td className="py-2">
                <span aria-hidden="true" className="inline-block size-4 border border-ink" />
              </td>
            )}
            <td className="py-1.5">
              <p className="font-semibold wrap-anywhere">{item.title}</p>
              <p className="text-13 text-muted">{publisherName(item.publisher)}</p>
              {item.isbn && <p className="text-13 text-muted">{bookCode(item)}</p>}
              {item.kind === "digital" && <p className="text-13 text-muted">Digital</p>}
              {toSend && item.kind !== "digital" && (
                <p className="text-13">{describeLeft(toSend.get(item.id) ?? 0)}</p>
              )}
            </td>
            <td className="py-1.5 pl-3 text-right font-semibold whitespace-nowrap">{item.quantity}</td>
            {!packing && (
              <td className="py-1.5 pl-3 text-right whitespace-nowrap">{formatCedis(item.price)}</td>
            )}
          </tr>
        ))}
      </tbody>
      {children}
    </table>
  );
}

const describeLeft = (left: number) => (left === 0 ? "All sent" : `${left} left to send`);

/** Staff also need the shop's own codes. */
function bookCode(item: { isbn: string | null }): string {
  const isbn = printedIsbn(item);
  return isbn ? `ISBN ${isbn}` : `Code ${item.isbn}`;
}

function Heading({ className, children }: { className: string; children: string }) {
  return (
    <th scope="col" className={`py-1 font-semibold whitespace-nowrap ${className}`}>
      {children}
    </th>
  );
}
