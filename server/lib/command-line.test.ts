import { expect, test } from "vitest";
import { withOptions } from "./command-line.ts";

test.each([
  [["--workers", "2"], "2"],
  [["--workers=3"], "3"],
  [["--workers"], "true"],
  [["--workers", ""], ""],
  [[], "4"],
  [["--other", "more"], "4"],
])("%j with WORKERS=4 in the environment gives WORKERS=%s", (args, workers) => {
  expect(withOptions({ WORKERS: "4", PORT: "1" }, args)).toEqual({ WORKERS: workers, PORT: "1" });
});

test("Without the option and the variable, nothing is set", () => {
  expect(withOptions({ PORT: "1" }, [])).toEqual({ PORT: "1" });
});

test("An option that npm consumed is refused with the correct command", () => {
  const refused = () => withOptions({ npm_config_workers: "true" }, ["2"]);
  expect(refused).toThrow("npm took --workers as its own option. Write npm start -- --workers 2");
  expect(withOptions({ npm_config_workers: "true" }, ["--workers", "2"]).WORKERS).toBe("2");
});

test("Development uses one web process", () => {
  expect(() => withOptions({ WORKERS: "2" }, ["--dev"])).toThrow("leave out WORKERS and --workers");
  expect(withOptions({ WORKERS: "1" }, ["--dev"]).WORKERS).toBe("1");
});
