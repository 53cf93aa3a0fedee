import { expect, onTestFinished, test, vi } from "vitest";
import { hostedCalls } from "./calls.ts";

test("A hosted project's function is called with the secret key, as JSON, with a timeout", async () => {
  const fake = vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response("7"));
  onTestFinished(() => fake.mockRestore());
  const call = hostedCalls("https://project.example", "sb_secret_x");
  expect(await call("claim_email", { _lease: "a" })).toBe(7);
  expect(fake).toHaveBeenCalledExactlyOnceWith(new URL("https://project.example/rest/v1/rpc/claim_email"), {
    method: "POST",
    headers: {
      apikey: "sb_secret_x",
      authorization: "Bearer sb_secret_x",
      "content-type": "application/json",
    },
    body: '{"_lease":"a"}',
    signal: expect.any(AbortSignal),
  });
});
