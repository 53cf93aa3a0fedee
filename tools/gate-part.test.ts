import { expect, test } from "vitest";
import { skipsIn } from "./gate-part.ts";

test("Skipped parts are found wherever a test prints them", () => {
  const output = [
    "stderr | tests/deploy/files.test.ts",
    "SKIPPED: the container image: no docker or podman",
    " ↓ tests/deploy/files.test.ts (1 test | 1 skipped)",
    "SKIPPED: Caddy's example: no caddy",
  ].join("\n");
  expect(skipsIn(output)).toEqual(["the container image: no docker or podman", "Caddy's example: no caddy"]);
});
