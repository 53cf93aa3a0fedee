import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

describe("the packages", () => {
  it("are locked without download addresses", () => {
    const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
    const resolved = Object.values<{ resolved?: string }>(lock.packages).filter((entry) => entry.resolved);
    expect(resolved).toEqual([]);
  });

  it("are locked for every platform, or a clean installation is refused", () => {
    const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
    const locked = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, "")));
    const required = Object.values<{ optionalDependencies?: Record<string, string> }>(packages).flatMap(
      (entry) => Object.keys(entry.optionalDependencies ?? {}),
    );
    expect(required.filter((name) => !locked.has(name))).toEqual([]);
  });

  it("have exact versions", () => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
      readFileSync(join(root, "package.json"), "utf8"),
    );
    const versions = Object.entries<string>({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(versions.filter(([, version]) => !/^(npm:\w+@)?\d+\.\d+\.\d+/.test(version))).toEqual([]);
  });
});
