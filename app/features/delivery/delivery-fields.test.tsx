import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { useForm } from "#app/components/use-form.ts";
import { DeliveryFields } from "./delivery-fields.tsx";
import { emptyDeliveryForm } from "./delivery-form.ts";

function Example({ regionRequired }: { regionRequired: boolean }) {
  const form = useForm({ fields: emptyDeliveryForm, send: () => {} });
  return <DeliveryFields form={form} regionRequired={regionRequired} />;
}

const labels = (regionRequired: boolean) =>
  [
    ...renderToStaticMarkup(<Example regionRequired={regionRequired} />).matchAll(/<label for[^>]*>([^<]*)/g),
  ].map(([, label]) => label);

it("marks the region as optional unless the delivery fee depends on it", () => {
  expect(labels(false)).toContain("Region (optional)");
  expect(labels(true)).toContain("Region");
  expect(labels(true)).not.toContain("Region (optional)");
});
