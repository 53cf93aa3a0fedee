/** The details of one of the shop's refusals, which the database sends as JSON; empty if there are none. */
export function readRefusalFacts(details: string | null | undefined): Readonly<Record<string, unknown>> {
  try {
    const facts: unknown = JSON.parse(details ?? "");
    return typeof facts === "object" && facts !== null ? { ...facts } : {};
  } catch {
    return {};
  }
}
