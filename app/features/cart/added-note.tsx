import { Callout } from "#app/components/callout.tsx";
import { countOf } from "#shared/text/count-of.ts";
import { CartLinks } from "./cart-links.tsx";
import { additionProblem, type CartAddition } from "./cart-problem.ts";
import { ChangedPrices, type ShownPrice } from "./changed-prices.tsx";

type AddedNoteProps = {
  added: readonly (CartAddition & { title: string })[];
  /** The prices on the page, if it shows any. */
  shown?: readonly ShownPrice[];
};

/** What a bulk call added to the cart, the titles that it could not add completely, and prices that have changed. */
export function AddedNote({ added, shown = [] }: AddedNoteProps) {
  const titles = added.filter((line) => line.added > 0).length;
  const copies = added.reduce((sum, line) => sum + line.added, 0);
  const problems = added.filter(({ problem }) => problem !== null);
  return (
    <Callout tone={problems.length > 0 ? "warning" : "success"} scrollsIntoView>
      <p className="text-17 font-semibold">
        {countOf(titles, "title")} ({countOf(copies, "copy", "copies")}) added to your cart.
      </p>
      {problems.length > 0 && (
        <ul className="mt-2 list-disc pl-5">
          {problems.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two lines may have one title, and the list never changes
            <li key={index} className="wrap-anywhere">
              <bdi className="font-semibold">{line.title}</bdi>: {additionProblem(line)}
            </li>
          ))}
        </ul>
      )}
      <ChangedPrices shown={shown} />
      <CartLinks />
    </Callout>
  );
}
