import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

/** What fails by chance or by the machine's speed: it belongs to the night (decision 32). */
const rules: { rule: string; broken: RegExp }[] = [
  { rule: "kills or stops no process", broken: /SIGKILL|SIGSTOP|\.kill\(9/ },
  {
    rule: "reads no processor time or memory",
    broken: /\/proc\/(?!self\/fd|no-such)|smaps|cpuUsage|resourceUsage|memoryUsage|heapUsed/,
  },
  {
    rule: "expects nothing of a clock",
    broken: /expect\((?:[^;](?!\)\.(?:to|not)))*?\b(?:Date|performance)\.now\(\)/,
  },
  {
    rule: "waits through eventually() or expect.poll",
    broken: /\bvi\.wait(?:For|Until)\b|waitForTimeout|networkidle/,
  },
  { rule: "draws samples from the run's seed", broken: /from "fast-check"|\bseed: \d/ },
  { rule: "needs no plan that depends on a sample of rows", broken: /\banalyze (?:public|private)/i },
];

/** Each needs the other in the same file, because the next file may run in the same process. */
const restored: [changes: RegExp, restores: RegExp][] = [
  [/useFakeTimers\(/, /useRealTimers\(/],
  [/vi\.stubGlobal\(/, /unstubAllGlobals\(/],
  [/vi\.stubEnv\(/, /unstubAllEnvs\(/],
];

/** A file's text without the tests that the gate leaves out. */
function gateTextOf(file: string, source: string): string {
  const [head = "", ...tests] = `\n${source}`.split(/^(?=[ \t]*(?:test|it)(?:\.\w+)*\()/m);
  const isBrowser = file.startsWith("tests/e2e/");
  const isInGate = (text: string) => (isBrowser ? text.includes('"@gate"') : !/tags: "long"/.test(text));
  return [isBrowser ? "" : head, ...tests.filter(isInGate)].join("");
}

const files = globSync(
  "{app,server,shared,scripts,tools,workshop,supabase,tests}/**/*.{test,spec}.{ts,tsx}",
  {
    cwd: root,
  },
)
  .filter((file) => !/\.long\./.test(file) && !/^tests\/(?:packaging|load|torture|mutation)\//.test(file))
  .filter((file) => file !== "tests/structure/gate-files.test.ts")
  .map((file) => {
    const source = readFileSync(join(root, file), "utf8");
    return { file, source, gateText: gateTextOf(file, source) };
  });

describe("a test of the gate", () => {
  it.each(rules)("$rule", ({ broken }) => {
    const found = files.flatMap(({ file, gateText }) => {
      const [match] = broken.exec(gateText) ?? [];
      return match ? [`${file}: ${match}`] : [];
    });
    expect(found).toEqual([]);
  });

  it("restores the globals and clocks that it replaces", () => {
    const found = files.filter(({ source }) =>
      restored.some(([changes, restores]) => changes.test(source) && !restores.test(source)),
    );
    expect(found.map(({ file }) => file)).toEqual([]);
  });

  it("is told apart from those of the night", () => {
    const night = 'test("a", { tags: "long" }, () => {\n  process.kill(1, "SIGKILL");\n});\n';
    expect(gateTextOf("a.test.ts", `${night}test("b", () => {});\n`)).toBe('\ntest("b", () => {});\n');
    const browser = 'test("a", { tag: "@gate" }, () => {});\n';
    expect(gateTextOf("tests/e2e/a.spec.ts", `const b = 1;\n${browser}test("c", () => {});\n`)).toBe(browser);
    expect(files.length).toBeGreaterThan(300);
  });
});
