import { expect, test } from "vitest";
import { lostResource } from "./lost-connection.ts";

test.each([
  "Failed to fetch dynamically imported module: http://localhost:3000/assets/contact-1.js",
  "error loading dynamically imported module: http://localhost:3000/assets/contact-1.js",
  "Importing a module script failed.",
])("Recognises each browser's error for a module that could not be fetched: %s", (message) => {
  expect(lostResource(new TypeError(message))).toBe("code");
});

test.each([
  "Failed to fetch",
  "NetworkError when attempting to fetch resource.",
  "Load failed",
  "network error",
])("Recognises each browser's error for a request without a response: %s", (message) => {
  expect(lostResource(new TypeError(message))).toBe("data");
});

test("A proxy's error page, or a truncated response, counts as no response", () => {
  const response = { status: 502, statusText: "Bad Gateway", internal: false, data: "<html>" };
  expect(lostResource(response)).toBe("data");
  expect(lostResource(new Error("Unable to decode turbo-stream response"))).toBe("data");
});

test("A bug is not a lost connection", () => {
  expect(lostResource(new TypeError("Cannot read properties of undefined (reading 'loaded')"))).toBeNull();
  expect(lostResource(new Error("Failed to fetch"))).toBeNull();
  expect(lostResource({ status: 404, statusText: "", internal: false, data: null })).toBeNull();
  expect(lostResource(null)).toBeNull();
});
