import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { DateField } from "./date-field.tsx";

const markup = (value: string) =>
  renderToStaticMarkup(<DateField label="Day" hint="Today if left empty" value={value} readOnly />);

it("shows the date below the field in the shop's format, whatever format the browser uses", () => {
  expect(markup("2026-11-23")).toContain(">23 Nov 2026<");
  expect(markup("")).toContain(">Today if left empty<");
});
