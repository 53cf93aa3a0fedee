import fc from "fast-check";
import type { RawRequest } from "../raw-request.ts";
import { accounts } from "./accounts.ts";
import { calls, expensive, rows } from "./data.ts";
import { files } from "./files.ts";
import { pages, paths } from "./pages.ts";
import type { Arbitrary } from "./parts.ts";
import { protocol } from "./protocol.ts";

/** A case: who sends what to which part of the shop. */
export type HostileCase = { part: string; sender: Sender; request: RawRequest };

/** Whose token it sends; "broken" sends an invalid one. */
export type Sender = "visitor" | "customer" | "admin" | "broken";

const senders: Record<string, Arbitrary<Sender>> = {
  rows: fc.constantFrom("visitor", "customer", "customer", "admin", "broken"),
  calls: fc.constantFrom("visitor", "visitor", "customer", "customer", "admin", "admin", "broken"),
  accounts: fc.constantFrom("visitor", "visitor", "customer", "broken"),
  files: fc.constantFrom("visitor", "customer", "admin", "broken"),
  expensive: fc.constantFrom("visitor", "customer", "admin"),
};

/** Any hostile request, to every part of the shop. */
export const hostileCase: Arbitrary<HostileCase> = fc.oneof(
  ...(
    [
      [4, "pages", pages],
      [2, "paths", paths],
      [6, "rows", rows],
      [6, "calls", calls],
      [2, "expensive", expensive],
      [4, "accounts", accounts],
      [3, "files", files],
      [1, "protocol", protocol],
    ] as [number, string, Arbitrary<RawRequest>][]
  ).map(([weight, part, each]) => ({
    weight,
    arbitrary: fc
      .tuple(senders[part] ?? fc.constant<Sender>("visitor"), each)
      // Staff who delete or change rows by the thousand would only empty the shop under the other cases.
      .map(
        ([sender, made]): HostileCase => ({
          part,
          request: made,
          sender: sender === "admin" && part === "rows" && made.method !== "GET" ? "customer" : sender,
        }),
      ),
  })),
);
