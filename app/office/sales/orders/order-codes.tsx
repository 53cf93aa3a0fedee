import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { listOrderCodes } from "#app/office/catalogue/books/digital/digital.admin-queries.ts";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { useDuty } from "#app/office/frame/duties.tsx";
import type { OrderDetails } from "./order.admin-queries.ts";

/** The customer's licence codes, shown only on request, because each access is logged. */
export function OrderCodes({ order }: { order: OrderDetails }) {
  const mayRead = useDuty("catalogue");
  const [given, setGiven] = useState<Awaited<ReturnType<typeof listOrderCodes>> | null>(null);
  const show = useAdminMutation({
    run: (client) => listOrderCodes(client, order.id),
    success: () => null,
    failure: "Failed to show the codes",
    onSuccess: setGiven,
  });
  if (!mayRead || !order.order_items.some(({ book }) => book?.digital_by === "code")) return null;
  if (given === null)
    return (
      <Button
        variant="secondary"
        size="small"
        className="mt-3 mr-3"
        busy={show.isPending}
        onClick={() => show.mutate(undefined)}
      >
        Show Licence Codes
      </Button>
    );
  if (given.length === 0) return <p className="mt-3">No licence codes were sent with this order.</p>;
  return (
    <dl aria-label="Licence codes" className="mt-3">
      {given.map(({ book_id, title, codes }) => (
        <div key={book_id} className="border-t border-line py-2">
          <dt className="text-13 text-muted">{title}</dt>
          {codes.map((code) => (
            <dd key={code}>
              <code className="wrap-anywhere">{code}</code>
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}
