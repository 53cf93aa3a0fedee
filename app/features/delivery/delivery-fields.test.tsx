import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { useForm } from "#app/components/use-form.ts";
import type { DeliveryFee } from "#shared/orders/delivery.ts";
import { DeliveryFields } from "./delivery-fields.tsx";
import { emptyDeliveryForm } from "./delivery-form.ts";

function Example({ fees }: { fees: readonly DeliveryFee[] }) {
  const form = useForm({ fields: emptyDeliveryForm, send: () => {} });
  return <DeliveryFields form={form} fees={fees} />;
}

const labels = (fees: readonly DeliveryFee[]) =>
  [...renderToStaticMarkup(<Example fees={fees} />).matchAll(/<label for[^>]*>([^<]*)/g)].map(
    ([, label]) => label,
  );

it("marks the region as optional unless the delivery fee depends on it", () => {
  expect(labels([])).toContain("Region (optional)");
  expect(labels([{ method: "bus_station", regions: ["Volta"], fee: 9 }])).toContain("Region (optional)");
  expect(labels([{ regions: ["Volta"], fee: 9 }])).toContain("Region");
  expect(labels([{ regions: ["Volta"], fee: 9 }])).not.toContain("Region (optional)");
});
