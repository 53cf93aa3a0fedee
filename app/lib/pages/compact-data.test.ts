import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { fc } from "#tests/support/properties.ts";
import { compactData } from "./compact-data.ts";

const vendor = "../../../node_modules/react-router/dist/production/vendor/turbo-stream-v2/turbo-stream.js";
const { decode } = (await import(join(import.meta.dirname, vendor))) as {
  decode: (stream: ReadableStream<Uint8Array>) => Promise<{ value: unknown }>;
};

const start = "<body><script>window.__reactRouterContext.streamController.enqueue(";
const page = (list = '"[]"') => `${start}${list});</script></body>`;
const bytes = (text: string) => Buffer.from(text).toString("latin1");

/** What the router in the browser reads from the page's script. */
async function readIn(html: string): Promise<unknown> {
  const [, script = ""] = /<script>([\s\S]*?)<\/script>/.exec(Buffer.from(html, "latin1").toString()) ?? [];
  const chunks: string[] = [];
  runInNewContext(script, {
    window: {
      __reactRouterContext: { streamController: { enqueue: (chunk: string) => chunks.push(chunk) } },
    },
  });
  const stream = new Blob(chunks).stream() as ReadableStream<Uint8Array>;
  return (await decode(stream)).value;
}

const withData = (loaderData: unknown) => ({ loaderData, actionData: null, errors: null });

describe("a page's data as plain JSON", () => {
  test("is what the router's own list says, whatever is in it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ noUnicodeString: false }), async (value) => {
        // Such a page keeps the router's list: see the next tests.
        fc.pre(!JSON.stringify(value).includes('"__proto__"'));
        const data = withData({ "routes/shop": value });
        const html = compactData(page(), data);
        expect(html).not.toBe(page());
        expect(await readIn(html)).toEqual(JSON.parse(JSON.stringify(data)));
      }),
      { numRuns: 300 },
    );
  });

  test("can't end the script, keeps characters beyond ASCII, and leaves out what is undefined", async () => {
    const data = withData({ a: "</script><script>alert(1)</script>", b: "Ɛkɔ ₵\u2028", c: undefined });
    const html = compactData(page(), data);
    expect(html.match(/<\/script>/g)).toHaveLength(1);
    expect(html).toContain(bytes("Ɛkɔ ₵"));
    expect(await readIn(html)).toEqual(
      withData({ a: data.loaderData && "</script><script>alert(1)</script>", b: "Ɛkɔ ₵\u2028" }),
    );
  });

  test.each([
    ["an error", { errors: { root: new Error("no") } }],
    ["a date", { loaderData: { at: new Date() } }],
    ["a promise", { loaderData: { later: Promise.resolve(1) } }],
    ["no number", { loaderData: { n: Number.NaN } }],
    ["a hole", { loaderData: [undefined] }],
    ["half a character", { loaderData: "\ud800" }],
    ["a key that JavaScript would not take as one", { loaderData: JSON.parse('{"__proto__":1}') }],
  ])("stays the router's list with %s", (_, changed) => {
    expect(compactData(page(), { ...withData({}), ...changed })).toBe(page());
  });

  test("stays the router's list in a page that has it in parts, has the call among its words, or has none", () => {
    for (const html of [page() + page(), `<h1>${start}</h1>${page()}`, "<p></p>", start])
      expect(compactData(html, withData({}))).toBe(html);
  });
});
