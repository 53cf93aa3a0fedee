import { formatCedis, pesewasFromCedis } from "#app/lib/money.ts";
import type { OrderDetails } from "./order.admin-queries.ts";

/** The lines of an order, named as they were when it was placed. */
export function OrderItems({ items }: { items: OrderDetails["order_items"] }) {
  return (
    <table className="w-full">
      <thead className="text-13 text-muted">
        <tr className="border-b border-line">
          <th scope="col" className="py-1 text-left font-semibold">
            Book
          </th>
          <th scope="col" className="py-1 pl-3 text-right font-semibold">
            Quantity
          </th>
          <th scope="col" className="py-1 pl-3 text-right font-semibold">
            Price
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.id} className="border-b border-line align-top">
            <td className="py-1.5">
              <p className="font-semibold wrap-anywhere">{item.title}</p>
              <p className="text-13 text-muted">{item.publisher ?? "Unknown"}</p>
            </td>
            <td className="figures py-1.5 pl-3 text-right">{item.quantity}</td>
            <td className="figures py-1.5 pl-3 text-right">{formatCedis(pesewasFromCedis(item.price))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
