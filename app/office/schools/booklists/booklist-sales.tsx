import { Panel } from "#app/office/components/panel.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatCedis } from "#shared/text/money.ts";
import { readBooklistSales } from "./booklist.admin-queries.ts";
import type { DraftLine } from "./booklist-draft.ts";

/** Orders by customers who used the list, in total and per line. */
export function BooklistSales({ id, lines }: { id: string; lines: readonly DraftLine[] }) {
  const sales = useAdminQuery(["booklists", "sales", id], (client) => readBooklistSales(client, id));
  const failure = readFailure("orders", sales);
  const whole = sales.data?.whole;
  return (
    <div className="mt-8">
      <Panel title="What this list brought in">
        {failure && <RetryNote {...failure} />}
        {whole && (
          <p className="figures mb-2">
            {countOf(whole.orders, "order")}, {whole.copies} {whole.copies === 1 ? "copy" : "copies"},{" "}
            {formatCedis(whole.amount)}
          </p>
        )}
        {whole && whole.orders > 0 && (
          <table className="w-full">
            <thead>
              <tr className="text-13 text-muted">
                <th scope="col" className="py-1 text-left">
                  Line
                </th>
                <th scope="col" className="px-2 py-1 text-right">
                  Orders
                </th>
                <th scope="col" className="py-1 text-right">
                  Copies
                </th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => {
                const sold = line.id ? sales.data?.lines.get(line.id) : undefined;
                return (
                  <tr key={line.key} className="border-t border-line">
                    <th scope="row" className="py-1.5 text-left font-normal wrap-anywhere">
                      {line.title}
                    </th>
                    <td className="figures px-2 text-right">{sold?.orders ?? 0}</td>
                    <td className="figures text-right">{sold?.copies ?? 0}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        )}
        <p className="mt-2 text-13 text-muted">
          Orders placed within 90 days of adding books from this list to the cart. Cancelled orders don't
          count.
        </p>
      </Panel>
    </div>
  );
}
