import { type FormEvent, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { InputField } from "#app/components/field.tsx";
import type { AddedNote } from "#app/features/cart/added-note.tsx";
import { parseQuantity } from "#app/features/cart/cart.ts";
import { openCartPanel } from "#app/features/cart/cart-panel-store.ts";
import { useAddMany } from "#app/features/cart/use-add-many.ts";
import { cart, useCart } from "#app/features/cart/use-cart.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatCedis } from "#shared/text/money.ts";
import { type AddedLine, type Booklist, type BooklistLine, MAX_CHILDREN } from "./booklist.ts";
import { booklistAddress } from "./booklist-code.ts";
import { BooklistLineItem } from "./booklist-line-item.tsx";
import { copiesFor, isAvailable, totalFor, useTicks } from "./ticks.ts";

/** The lines with tick boxes, the number of children, the resulting total and the button that adds everything. */
export function BooklistOrder({ list }: { list: Booklist }) {
  const { code, lines } = list;
  const { chosen, children, change, tickRequired, requestId } = useTicks(code, lines);
  const [added, setAdded] = useState<{ lines: AddedLine[]; Note: typeof AddedNote } | null>(null);
  const { adding, addMany } = useAddMany(booklistAddress(code));

  function tick(id: string, on: boolean) {
    const others = chosen.map((line) => line.id).filter((one) => one !== id);
    change({ ticked: on ? [...others, id] : others });
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (adding || chosen.length === 0) return;
    setAdded(null);
    const outcome = await addMany(async (client) => {
      const [{ addBooklistToCart }, { AddedNote }, { storeLineList }] = await Promise.all([
        import("./booklists.queries.ts"),
        import("#app/features/cart/added-note.tsx"),
        import("#app/features/cart/line-lists.ts"),
      ]);
      const wanted = { code, lineIds: chosen.map(({ id }) => id), children, requestId: requestId() };
      return { lines: await addBooklistToCart(client, wanted), Note: AddedNote, storeLineList };
    });
    if (!outcome) return;
    const bookIds = outcome.lines.flatMap((line) => (line.added > 0 && line.book_id) || []);
    outcome.storeLineList(
      { path: booklistAddress(code), name: `${list.class_name}, ${list.school}` },
      bookIds,
      cart.get(),
    );
    setAdded(outcome);
    // Unticked once added, so that the next click does not add them again.
    const done = outcome.lines.filter(({ added, wanted }) => added === wanted).map(({ line_id }) => line_id);
    change({ ticked: chosen.map(({ id }) => id).filter((id) => !done.includes(id)) });
  }

  const groups = [
    { title: "Required", lines: lines.filter((line) => line.is_required) },
    { title: "Optional", lines: lines.filter((line) => !line.is_required) },
  ].filter((group) => group.lines.length > 0);
  return (
    <>
      <div className="mt-6 noscript:hidden print:hidden">
        <ChildrenField value={children} onChange={(number) => change({ children: number })} />
      </div>
      {groups.map((group) => (
        <section key={group.title} aria-labelledby={`lines-${group.title}`} className="mt-8 print:mt-4">
          <h2
            id={`lines-${group.title}`}
            className="text-20 sm:text-25 print:break-after-avoid print:text-17"
          >
            {group.title}
          </h2>
          <ul aria-labelledby={`lines-${group.title}`} className="mt-2 border-t border-line">
            {group.lines.map((line) => (
              <BooklistLineItem
                key={line.id}
                line={line}
                quantity={children}
                ticked={chosen.includes(line)}
                onTick={(on) => tick(line.id, on)}
              />
            ))}
          </ul>
        </section>
      ))}
      {added && (
        <div className="mt-8 print:hidden">
          <added.Note added={added.lines} shown={lines.flatMap(({ book }) => book ?? [])} />
        </div>
      )}
      <p className="mt-8 hidden rounded-card border border-line bg-surface p-5 noscript:block print:hidden!">
        To order from this page you need JavaScript. You can also call or message us with the code of this
        list.
      </p>
      {/* Lines have forms of their own, which cannot stand inside this one. */}
      <form
        id={FORM}
        data-bottom-bar
        method="dialog"
        onSubmit={submit}
        className="sticky bottom-0 mt-8 -mx-4 flex flex-wrap items-center justify-between gap-x-2 gap-y-1.5 border-t border-line bg-surface px-4 py-3 shadow-float sm:mx-0 sm:px-6 noscript:hidden print:hidden"
      >
        <AddBar
          lines={lines}
          chosen={chosen}
          quantity={children}
          adding={adding}
          onTickRequired={added === null ? tickRequired : undefined}
        />
      </form>
    </>
  );
}

type AddBarProps = {
  lines: readonly BooklistLine[];
  chosen: readonly BooklistLine[];
  /** How many children the list is for. */
  quantity: number;
  adding: boolean;
  /** Absent right after something was added: the cart may still be loading. */
  onTickRequired: (() => void) | undefined;
};

/**
 * What is chosen and the button that adds it; where nothing is left to add, what is in the cart, and its button; where nothing is
 * ticked and in the cart either, a button that ticks what is required.
 */
function AddBar({ lines, chosen, quantity, adding, onTickRequired }: AddBarProps) {
  const { lines: cartLines, status } = useCart();
  const copies = chosen.reduce((sum, line) => sum + copiesFor(line, quantity), 0);
  const added = lines.filter(({ book }) => cartLines.some((line) => line.book.id === book?.id)).length;
  const instead =
    chosen.length > 0
      ? undefined
      : added > 0
        ? {
            about: "From this list",
            state: `${countOf(added, "title")} in your cart`,
            label: "View Cart",
            act: openCartPanel,
          }
        : status !== "loading" &&
            onTickRequired &&
            lines.some((line) => line.is_required && isAvailable(line))
          ? { about: "Nothing is ticked", label: "Tick What Is Required", act: onTickRequired }
          : undefined;
  return (
    <>
      <p role="status" className="figures text-13 sm:text-15">
        {instead?.about ?? `${countOf(chosen.length, "title")}, ${countOf(copies, "copy", "copies")}`}
        <span className="block text-15 font-semibold sm:text-20">
          {instead?.state ?? formatCedis(totalFor(chosen, quantity))}
        </span>
      </p>
      {/* One button for all, so that it keeps the focus. */}
      <Button
        type={instead ? "button" : "submit"}
        variant={instead ? "secondary" : "primary"}
        size="large"
        busy={adding}
        disabled={chosen.length === 0 && !instead}
        onClick={
          instead &&
          ((event) => {
            // It may become the form's own button before the click has done its default action.
            event.preventDefault();
            instead.act();
          })
        }
        className="whitespace-nowrap max-sm:grow max-sm:px-3! max-sm:text-15!"
      >
        {instead?.label ?? (
          <>
            <span className="visitor-only">Sign In to Add Selected</span>
            <span className="member-only">{adding ? "Adding…" : "Add Selected to Cart"}</span>
          </>
        )}
      </Button>
    </>
  );
}

/** The id of the form that adds what is chosen. */
const FORM = "add-selected";

/** A number from 1 to 999 that takes effect as it is typed; anything else is reset on leaving the field. */
function ChildrenField({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <InputField
      label="For how many children?"
      form={FORM}
      type="number"
      min={1}
      max={MAX_CHILDREN}
      inputMode="numeric"
      className="w-56"
      value={typed ?? value}
      onChange={(event) => {
        setTyped(event.target.value);
        const number = parseQuantity(event.target.value);
        if (number !== null && number >= 1 && number <= MAX_CHILDREN) onChange(number);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
