import { Button } from "#app/components/button.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { printedIsbn } from "#app/features/books/isbn.ts";
import {
  DocumentFrame,
  DocumentHeading,
  DocumentPageHead,
  DocumentPart,
  DocumentRecipient,
  DocumentTotal,
  DocumentTotals,
} from "#app/features/documents/document-frame.tsx";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { formatBareAmount } from "#shared/orders/purchase-file.ts";
import { formatDay } from "#shared/text/dates.ts";
import { findPurchase, type PurchaseLine, type PurchaseRecord } from "./purchase.admin-queries.ts";
import { formatAmount } from "./purchase.ts";

/** A purchase order on paper, for its supplier, from the shop as it was on the day on which it was sent. */
export function PurchaseSheet({ id }: { id: string }) {
  const found = useAdminQuery(["purchases", "record", id], (client) => findPurchase(client, id));
  const failure = readFailure("purchase order", found);
  if (failure) return <RetryNote {...failure} />;
  if (found.data === undefined) return <Skeleton className="h-96" />;
  if (found.data === null) return <p role="alert">This purchase order does not exist.</p>;
  return (
    <>
      <Button className="mb-5 print:hidden" onClick={() => window.print()}>
        <OfficeIcon name="print" />
        Print
      </Button>
      <style>{"@page { size: A4; margin: 15mm }"}</style>
      <div className="max-w-3xl">
        <PurchaseDocument purchase={found.data} />
      </div>
    </>
  );
}

/** On a phone the price and the discount are below the title. */
const wide = "hidden sm:table-cell print:table-cell";

export function PurchaseDocument({ purchase }: { purchase: PurchaseRecord }) {
  const { id, status, reference, currency, lines, note, terms, total } = purchase;
  const state = status === "draft" ? "Draft, not an order yet" : status === "cancelled" ? "Cancelled" : null;
  return (
    <DocumentFrame
      id={`purchase-${id}`}
      title="Purchase order"
      facts={[
        ["Number", reference],
        ["Date", purchase.sent_at && formatDay(purchase.sent_at)],
        ["Status", state],
      ]}
      sender={{ ...currentShop(), ...purchase.shop }}
    >
      <DocumentRecipient
        title="To"
        lines={[purchase.supplier_name, purchase.contact_name, purchase.email, purchase.phone]}
      />
      <table aria-label="Lines" className="figures mt-6 w-full text-15">
        <thead className="text-13 text-muted">
          {reference && <DocumentPageHead>{`Purchase order ${reference}`}</DocumentPageHead>}
          <tr className="border-b border-line-strong text-right">
            <DocumentHeading className="w-full text-left">Book</DocumentHeading>
            <DocumentHeading className="">Copies</DocumentHeading>
            <DocumentHeading className={wide}>List price</DocumentHeading>
            <DocumentHeading className={wide}>Discount</DocumentHeading>
            <DocumentHeading className="">{`Amount, ${currency}`}</DocumentHeading>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Line key={line.book_id} line={line} />
          ))}
        </tbody>
      </table>
      <DocumentTotals>
        <DocumentTotal name="Total">{formatAmount(total, currency)}</DocumentTotal>
      </DocumentTotals>
      {note && (
        <DocumentPart id={`note-${id}`} title="Note">
          <p className="wrap-anywhere whitespace-pre-line">{note}</p>
        </DocumentPart>
      )}
      {terms && (
        <DocumentPart id={`terms-${id}`} title="Terms">
          <p className="wrap-anywhere whitespace-pre-line">{terms}</p>
        </DocumentPart>
      )}
    </DocumentFrame>
  );
}

function Line({ line }: { line: PurchaseLine }) {
  const { title, publisher, copies, list_price, discount, amount } = line;
  const isbn = printedIsbn(line);
  return (
    <tr className="break-inside-avoid border-b border-line align-top text-right [&>td]:py-2 [&>td:not(:first-child)]:pl-3">
      <td className="text-left">
        <p className="font-semibold wrap-anywhere">{title}</p>
        <p className="text-13 text-muted">
          {[isbn && `ISBN ${isbn}`, publisher].filter((text) => text).join(", ")}
        </p>
        <p className="text-13 text-muted sm:hidden print:hidden">
          {formatBareAmount(list_price)} less {discount}%
        </p>
      </td>
      <td>{copies.toLocaleString("en-GB")}</td>
      <td className={wide}>{formatBareAmount(list_price)}</td>
      <td className={wide}>{discount}%</td>
      <td className="font-semibold">{formatBareAmount(amount)}</td>
    </tr>
  );
}
