import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { DeliveryFields } from "./delivery-fields.tsx";
import { emptyDeliveryForm } from "./delivery-form.ts";

const labels = (regionRequired: boolean) =>
  [
    ...renderToStaticMarkup(
      <DeliveryFields
        form={emptyDeliveryForm}
        problem={null}
        onChange={() => {}}
        regionRequired={regionRequired}
      />,
    ).matchAll(/<label for[^>]*>([^<]*)/g),
  ].map(([, label]) => label);

it("marks the region as optional unless the delivery fee depends on it", () => {
  expect(labels(false)).toContain("Region (optional)");
  expect(labels(true)).toContain("Region");
  expect(labels(true)).not.toContain("Region (optional)");
});
