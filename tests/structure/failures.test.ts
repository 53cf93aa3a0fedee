import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor } from "vite";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

/** What a file does with failures, whatever it is called or how it is written. */
type Uses = { makes: boolean; extends: boolean; throwsOnError: boolean; ranksStatuses: boolean };

function usesOf(file: string, source: string): Uses {
  const uses = { makes: false, extends: false, throwsOnError: false, ranksStatuses: false };
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const isStatus = (node: { type: string }): boolean =>
    (node.type === "Identifier" && (node as { name?: string }).name === "status") ||
    (node.type === "MemberExpression" &&
      isStatus((node as unknown as { property: { type: string } }).property));
  new Visitor({
    NewExpression({ callee }) {
      if (callee.type === "Identifier" && callee.name === "BackendFailure") uses.makes = true;
    },
    ClassDeclaration({ superClass, id }) {
      if (superClass?.type === "Identifier" && superClass.name === "Error" && id?.name.endsWith("Failure"))
        uses.extends = true;
    },
    CallExpression({ callee }) {
      if (
        callee.type === "MemberExpression" &&
        callee.property.type === "Identifier" &&
        callee.property.name === "throwOnError"
      )
        uses.throwsOnError = true;
    },
    BinaryExpression({ operator, left, right }) {
      if (/^[<>]=?$/.test(operator) && (isStatus(left) || isStatus(right))) uses.ranksStatuses = true;
    },
  }).visit(program);
  return uses;
}

const files = globSync("{app,shared}/**/*.{ts,tsx}", { cwd: root })
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, uses: usesOf(file, readFileSync(join(root, file), "utf8")) }));
const filesThat = (use: keyof Uses) => files.filter(({ uses }) => uses[use]).map(({ file }) => file);

describe("a failed backend call", () => {
  it("is of one class, made where the backend's responses are read", () => {
    expect(filesThat("extends")).toEqual(["app/lib/backend/failure.ts"]);
    expect(filesThat("makes")).toEqual(["app/lib/backend/response.ts"]);
    expect(filesThat("throwsOnError")).toEqual([]);
  });

  it("is ranked by its status in one file, which says what may be sent again", () => {
    // The first one ranks what it sends itself: the status of a page.
    expect(filesThat("ranksStatuses")).toEqual(["app/entry.server.tsx", "app/lib/backend/retry-rule.ts"]);
  });
});
