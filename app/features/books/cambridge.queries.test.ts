import { describe, expect, it } from "vitest";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { listCambridgeSections } from "./cambridge.queries.ts";
import { ReadFailure } from "./read-failure.ts";

/** A client whose one answer is this. */
function answering(answer: object): BackendClient {
  return { rpc: () => ({ select: async () => answer }) } as unknown as BackendClient;
}

const row = (section: string, position: number) => ({ section, position, id: `${section} ${position}` });

describe("the sections of the Cambridge page", () => {
  it("stand in the page's order, their books by position, empty ones left out", async () => {
    const data = [row("A Level", 2), row("A Level", 1), row("Primary", 1)];
    const sections = await listCambridgeSections(answering({ data, error: null, status: 200 }));
    expect(sections.map(({ section, books }) => [section, books.map(({ id }) => id)])).toEqual([
      ["Primary", ["Primary 1"]],
      ["A Level", ["A Level 1", "A Level 2"]],
    ]);
  });

  it("fail in words for customers", async () => {
    const failing = answering({ data: null, error: { message: "secret words" }, status: 500 });
    await expect(listCambridgeSections(failing)).rejects.toThrow(ReadFailure);
    await expect(listCambridgeSections(failing)).rejects.not.toThrow(/secret/);
  });
});
