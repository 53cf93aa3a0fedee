import { test } from "vitest";

test("The worker that stays is up", () => {});
