import { expect, test } from "vitest";
import { hasArguments } from "./leftovers.ts";
import { serverArguments } from "./parameters.ts";

const address = { socketFolder: "/data/database", port: 5432 };
const argumentsWith = (parameters: Record<string, string>) =>
  serverArguments("/data/database", "shop-1-2", address, parameters);

test("A server that was left running has the settings of a start unless one of them has changed", () => {
  const command = ["/usr/bin/postgres", ...argumentsWith({ shared_buffers: "64MB" })].join(" ");
  expect(hasArguments(command, argumentsWith({}))).toBe(true);
  for (const [name, value] of [
    ["max_connections", "80"],
    ["max_connections", "4"],
    ["log_connections", "on"],
    ["new_setting", "on"],
  ] as const)
    expect(hasArguments(command, argumentsWith({ [name]: value })), `${name} ${value}`).toBe(false);
});
