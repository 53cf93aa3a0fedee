import { Hono } from "hono";
import { expect, test } from "vitest";
import { refuse } from "./route-responses.ts";

test("refuse() says when to retry a 503, keeps the time that its route has set, and says nothing otherwise", async () => {
  const routes = new Hono();
  routes.get("/busy", (c) => refuse(c, 503, "Please try again in a moment.", "unavailable"));
  routes.get("/later", (c) => {
    c.header("Retry-After", "2");
    return refuse(c, 503, "Please try again in a moment.", "unavailable");
  });
  routes.get("/forbidden", (c) => refuse(c, 403, "You may not do this."));
  const retryAfter = async (path: string) => (await routes.request(path)).headers.get("retry-after");
  expect([await retryAfter("/busy"), await retryAfter("/later"), await retryAfter("/forbidden")]).toEqual([
    "5",
    "2",
    null,
  ]);
});
