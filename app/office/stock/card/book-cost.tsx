import { useAdminQuery } from "#app/office/frame/admin-data.ts";
import { formatCedis, type Pesewas } from "#shared/text/money.ts";
import { percentOf } from "#shared/text/percent.ts";
import { readBookCost } from "./stock.admin-queries.ts";

/** 'A copy costs GH₵9.50 on average: a margin of GH₵10.50, 52.5 %.' Renders nothing until a receipt has a cost. */
export function BookCost({ bookId, price }: { bookId: string; price: Pesewas }) {
  const { data: cost } = useAdminQuery(["books", "cost", bookId], (client) => readBookCost(client, bookId));
  if (cost === undefined || cost === null) return null;
  const margin = (price - cost) as Pesewas;
  return (
    <p className="figures text-muted">
      A copy costs {formatCedis(cost)} on average: a margin of {formatCedis(margin)},{" "}
      {percentOf(margin, price)}.
    </p>
  );
}
