import { CopyButton } from "#app/components/copy-button.tsx";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { mobileMoneyFacts } from "#shared/owner/mobile-money.ts";

/** What a phone asks for, which is easier pasted than typed. */
const COPIED = ["Number", "Reference"];

/** The owner's wallet, to pay an order by hand; renders nothing without one. @param order null before it has a number */
export function MobileMoney({ order }: { order: number | null }) {
  const facts = mobileMoneyFacts(currentShop(), order === null ? "your order's number" : String(order));
  if (facts.length === 0) return null;
  return (
    <div className="mt-4">
      <h3 className="font-sans text-15 font-semibold">By mobile money</h3>
      <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {facts.map(([name, value]) => (
          <div key={name} className="col-span-2 grid grid-cols-subgrid items-center">
            <dt className="text-muted">{name}</dt>
            <dd className="flex flex-wrap items-center justify-between gap-x-3 wrap-anywhere">
              {value}
              {order !== null && COPIED.includes(name) && (
                <span className="print:hidden">
                  <CopyButton text={copied(name, value)} name={name.toLowerCase()} />
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {order === null && (
        <p className="mt-1 text-13 text-muted">You get the number when you have placed the order.</p>
      )}
    </div>
  );
}

/** Without the spaces of a number, which a phone's menu refuses. */
const copied = (name: string, value: string) => (name === "Number" ? value.replaceAll(" ", "") : value);
