import { deliveryAndReturns, terms } from "./law-pages.ts";

/**
 * At the end of an invoice or a quote, which only browsers make: where the terms are, in words that can be typed from paper.
 * @param version the version that an order names
 */
export function TermsNote({ version }: { version?: number | null | undefined }) {
  const host = typeof window === "undefined" ? "" : window.location.host;
  const query = version ? `?version=${version}` : "";
  return (
    <p className="mt-6 text-13 text-muted">
      {[terms, deliveryAndReturns].map(({ label, to }) => `${label}: ${host}${to}${query}`).join(". ")}
    </p>
  );
}
