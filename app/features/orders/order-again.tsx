import { useRef, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { AddedNote } from "#app/features/cart/added-note.tsx";
import { useAddMany } from "#app/features/cart/use-add-many.ts";
import { newUuid } from "#shared/text/new-uuid.ts";
import { type AddedTitle, orderAgain } from "./order.queries.ts";

type OrderAgainProps = { orderId: string; variant: "primary" | "secondary" };

/** Adds an order's books to the cart again, and lists those that are no longer available. */
export function OrderAgain({ orderId, variant }: OrderAgainProps) {
  const [added, setAdded] = useState<AddedTitle[] | null>(null);
  // The same for every attempt until there is a response, so that a retry adds nothing twice.
  const requestId = useRef("");
  const { adding, addMany } = useAddMany(`/order-confirmation/${orderId}`);

  async function add() {
    setAdded(null);
    requestId.current ||= newUuid();
    const outcome = await addMany((client) => orderAgain(client, orderId, requestId.current));
    if (outcome) requestId.current = "";
    setAdded(outcome);
  }

  return (
    <>
      <Button variant={variant} busy={adding} onClick={() => void add()}>
        {adding ? "Adding…" : "Order again"}
      </Button>
      {added && <AddedNote added={added} />}
    </>
  );
}
