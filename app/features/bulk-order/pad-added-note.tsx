import { Callout } from "#app/components/callout.tsx";
import { JoinedTexts } from "#app/components/joined-texts.tsx";
import { CartLinks } from "#app/features/cart/cart-links.tsx";
import { ChangedPrices } from "#app/features/cart/changed-prices.tsx";
import { countOf } from "#shared/text/count-of.ts";
import type { Added } from "./use-bulk-order.ts";

type PadAddedNoteProps = {
  added: Pick<Added, "titles" | "copies" | "short" | "shown">;
  /** How many lines are still on the pad. */
  left: number;
};

/** What the last click has put into the cart, and what it could not. */
export function PadAddedNote({ added: { titles, copies, short, shown }, left }: PadAddedNoteProps) {
  return (
    <Callout tone={left > 0 || short.length > 0 ? "warning" : "success"} scrollsIntoView>
      <p className="text-17 font-semibold">
        {countOf(titles, "title")} ({countOf(copies, "copy", "copies")}) added to your cart.
      </p>
      {left > 0 && <p>{countOf(left, "line is", "lines are")} not in your cart. See why below.</p>}
      {short.length > 0 && (
        <p className="wrap-anywhere">
          We have too few copies of <JoinedTexts texts={short} separator=", " />. Your cart shows how many are
          left.
        </p>
      )}
      <ChangedPrices shown={shown} />
      <CartLinks />
    </Callout>
  );
}
