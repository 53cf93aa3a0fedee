import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { CustomerCell } from "./customer-cell.tsx";

const textOf = (email: string | null, phone?: string) =>
  renderToStaticMarkup(<CustomerCell name="Ama" email={email} phone={phone ?? null} />)
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .trim();

test("names a customer's email and phone, and N/A only where neither is known", () => {
  expect(textOf(null, "+233244123456")).toBe("Ama +233 24 412 3456");
  expect(textOf("ama@school.example", "+233244123456")).toBe("Ama ama@ school.example +233 24 412 3456");
  expect(textOf("ama@school.example")).toBe("Ama ama@ school.example");
  expect(textOf(null)).toBe("Ama N/A");
});
