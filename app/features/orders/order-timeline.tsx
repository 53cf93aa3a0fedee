import { formatMinute } from "#shared/text/dates.ts";
import type { OrderStep } from "./order.queries.ts";

const stepNames: Readonly<Record<string, string>> = {
  placed: "Order placed",
  paid: "Paid in full",
  refunded: "Money refunded",
  returned: "Books returned",
  pending: "Waiting again",
  processing: "Being prepared",
  part_shipped: "Some books sent",
  shipped: "On its way",
  delivered: "Delivered",
  cancelled: "Cancelled",
};

/** What has happened to an order so far, oldest first, with the times. */
export function OrderTimeline({ steps }: { steps: readonly OrderStep[] }) {
  return (
    <section aria-labelledby="order-timeline">
      <h2 id="order-timeline" className="text-25">
        What has happened
      </h2>
      <ol className="mt-4 text-15">
        {steps.map(({ step, happened_at }) => (
          <li key={`${step} ${happened_at}`} className="flex gap-3 pb-3 last:pb-0">
            <span aria-hidden="true" className="mt-1.5 size-2.5 shrink-0 rounded-full bg-green" />
            <span className="flex grow flex-wrap justify-between gap-x-4">
              <span className="font-semibold">{stepNames[step] ?? step}</span>
              <time dateTime={happened_at} className="figures text-muted">
                {formatMinute(happened_at)}
              </time>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
