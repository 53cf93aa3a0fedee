import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { AddedNote } from "#app/features/cart/added-note.tsx";
import { useAddMany } from "#app/features/cart/use-add-many.ts";
import { type AddedTitle, orderAgain } from "./order.queries.ts";

/** Adds an order's books to the cart again, and lists those that are no longer available. */
export function OrderAgain({ orderId }: { orderId: string }) {
  const [added, setAdded] = useState<AddedTitle[] | null>(null);
  const { adding, addMany } = useAddMany(`/order-confirmation/${orderId}`);

  async function add() {
    setAdded(null);
    setAdded(await addMany((client) => orderAgain(client, orderId)));
  }

  return (
    <>
      <Button variant="secondary" busy={adding} onClick={() => void add()}>
        {adding ? "Adding…" : "Order again"}
      </Button>
      {added && <AddedNote added={added} />}
    </>
  );
}
