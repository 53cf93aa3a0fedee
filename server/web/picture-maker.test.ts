import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "#tests/support/eventually.ts";
import { createPictureMaker } from "./picture-maker.ts";

/** A process that notes its start, and does what the first byte of the original says. */
const source = `
import { appendFileSync } from "node:fs";
appendFileSync(new URL("started", import.meta.url), process.env.DATABASE_URL ?? "-");
process.on("message", ({ original, width }) => {
  if (original[0] === 1) process.exit(3);
  if (original[0] === 2) return;
  process.send({ type: "made", content: new Uint8Array([width, original[1]]) });
});`;

async function open(options: { idleMs?: number; timeoutMs?: number } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "adwene-pictures-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const script = join(folder, "process.mjs");
  await writeFile(script, source);
  const make = createPictureMaker({ script, ...options });
  const countStarts = async () => (await readFile(join(folder, "started"), "utf8")).length;
  return {
    make: (...bytes: number[]) => make(new Uint8Array(bytes), { width: 160, height: 213, format: "webp" }),
    countStarts,
  };
}

const made = (...bytes: number[]) => ({ type: "made", content: new Uint8Array(bytes) });

test("Pictures are made one after the other in one process, which has none of the shop's settings", async () => {
  vi.stubEnv("DATABASE_URL", "postgres://shop:secret@database/shop");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { make, countStarts } = await open();
  expect(await Promise.all([make(0, 1), make(0, 2), make(0, 3)])).toEqual([
    made(160, 1),
    made(160, 2),
    made(160, 3),
  ]);
  expect(await countStarts()).toBe(1);
});

test("A picture that ends the process fails alone: the next one gets a new process", async () => {
  const { make, countStarts } = await open();
  expect(await Promise.all([make(1), make(0, 7)])).toEqual([
    { type: "failed", reason: "the process that makes it ended (3)" },
    made(160, 7),
  ]);
  expect(await countStarts()).toBe(2);
});

test("A picture that takes too long fails", async () => {
  const { make } = await open({ timeoutMs: 100 });
  expect(await make(2)).toEqual({ type: "failed", reason: "it took longer than 0.1 s" });
});

test("Without pictures the process is ended, and the next picture starts another", async () => {
  const { make, countStarts } = await open({ idleMs: 0 });
  await make(0, 1);
  await new Promise((resolve) => setImmediate(resolve));
  await eventually(async () => {
    await make(0, 2);
    expect(await countStarts()).toBeGreaterThan(1);
  }, 20_000);
});
