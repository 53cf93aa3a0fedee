import { controlClass } from "#app/components/control.ts";
import { IconAction } from "#app/components/office/icon-action.tsx";
import { MAX_QUANTITY, parseQuantity, shortageNote } from "#app/features/cart/cart.ts";
import { formatCedis, timesQuantity } from "#app/lib/money.ts";
import type { PhoneLine } from "./phone-order.ts";

type PhoneOrderLinesProps = { lines: readonly PhoneLine[]; onChange: (lines: readonly PhoneLine[]) => void };

/** The books of an order being entered. */
export function PhoneOrderLines({ lines, onChange }: PhoneOrderLinesProps) {
  if (lines.length === 0) return null;
  return (
    <ul aria-label="Books of the order" className="mb-4 border-t border-line">
      {lines.map((line) => (
        <li key={line.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-2">
          <span className="min-w-40 grow basis-60 font-semibold wrap-anywhere">
            {line.title}
            {line.quantity > line.stock_quantity && (
              <span className="block text-13 text-clay">{shortageNote(line.stock_quantity)}</span>
            )}
          </span>
          <input
            type="number"
            min={1}
            max={MAX_QUANTITY}
            inputMode="numeric"
            aria-label={`Quantity of ${line.title}`}
            className={`${controlClass} w-24!`}
            defaultValue={line.quantity}
            onChange={({ target }) => {
              const quantity = parseQuantity(target.value);
              if (quantity && quantity <= MAX_QUANTITY)
                onChange(lines.map((one) => (one.id === line.id ? { ...one, quantity } : one)));
            }}
          />
          <span className="figures w-28 text-right">
            {formatCedis(timesQuantity(line.price, line.quantity))}
          </span>
          <IconAction
            icon="trash"
            label={`Remove ${line.title}`}
            onClick={() => onChange(lines.filter(({ id }) => id !== line.id))}
          />
        </li>
      ))}
    </ul>
  );
}
