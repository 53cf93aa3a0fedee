import { describe, expect, it } from "vitest";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { BackendFailure } from "#app/lib/backend/failure.ts";
import { listSections } from "./publisher-page.queries.ts";

type Answer = { data: object[] | null; error: object | null; status: number };

/** A client with this response for each section. */
function answering(respond: (section: string) => Answer): BackendClient {
  const rpc = (_: string, { _section }: { _section: string }) => ({ select: async () => respond(_section) });
  return { rpc } as unknown as BackendClient;
}

const priced = (...ids: string[]) => ids.map((id) => ({ id, price: 4_550 }));

describe("the sections of a publisher's page", () => {
  it("are in the page's order, empty ones left out", async () => {
    const client = answering((section) => ({
      data:
        section === "Secondary/IGCSE"
          ? []
          : [`${section} 1`, `${section} 2`].map((id) => ({ id, price: 45.5 })),
      error: null,
      status: 200,
    }));
    expect(await listSections(client, "Adom")).toEqual([
      { section: "Primary", books: priced("Primary 1", "Primary 2") },
      { section: "A Level", books: priced("A Level 1", "A Level 2") },
    ]);
  });

  it("fail without the server's message", async () => {
    const failing = answering(() => ({ data: null, error: { message: "secret words" }, status: 500 }));
    await expect(listSections(failing, "Adom")).rejects.toThrow(BackendFailure);
    await expect(listSections(failing, "Adom")).rejects.not.toThrow(/secret/);
  });
});
