import type { PurchaseRecord } from "./purchase.admin-queries.ts";
import { formatAmount } from "./purchase.ts";

/** The lines of a purchase order of which books have arrived: it can no longer be changed. */
export function PurchaseReceived({ purchase }: { purchase: PurchaseRecord }) {
  const { lines, currency, total } = purchase;
  return (
    <>
      <table aria-label="Lines" className="figures w-full">
        <thead className="text-13 text-muted">
          <tr className="border-b border-line-strong text-right [&>th]:px-2 [&>th]:py-1.5 [&>th]:font-semibold [&>th]:whitespace-nowrap">
            <th scope="col" className="text-left">
              Book
            </th>
            <th scope="col">Received</th>
            <th scope="col">Amount</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr
              key={line.book_id}
              className="border-b border-line text-right align-top [&>td]:px-2 [&>td]:py-2"
            >
              <td className="text-left">
                <p className="font-semibold wrap-anywhere">{line.title}</p>
                <p className="text-13 text-muted">
                  {formatAmount(line.list_price, currency)} less {line.discount}%
                </p>
              </td>
              <td className="whitespace-nowrap">
                <span className={line.received < line.copies ? "font-semibold text-clay" : ""}>
                  {line.received} of {line.copies}
                </span>
              </td>
              <td className="font-semibold whitespace-nowrap">{formatAmount(line.amount, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="figures text-right text-17 font-semibold">Total {formatAmount(total, currency)}</p>
      {purchase.note && <p className="wrap-anywhere whitespace-pre-line">{purchase.note}</p>}
    </>
  );
}
