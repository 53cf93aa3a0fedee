import { expect, test } from "vitest";
import { openArchive } from "./unzip.ts";
import { createArchive } from "./zip.ts";

async function zip(...contents: string[]): Promise<Uint8Array<ArrayBuffer>> {
  const archive = createArchive();
  for (const [at, content] of contents.entries()) {
    const file = archive.open(`${at}.xml`);
    await file.write(content);
    await file.end();
  }
  return new Uint8Array(await new Blob(archive.finish()).arrayBuffer());
}

const open = (bytes: Uint8Array<ArrayBuffer>, maxUnpacked: number) =>
  openArchive(new Blob([bytes]), maxUnpacked);

async function readAll(bytes: Uint8Array<ArrayBuffer>, name: string, maxUnpacked: number): Promise<number> {
  let length = 0;
  for await (const part of (await open(bytes, maxUnpacked)).open(name) ?? []) length += part.length;
  return length;
}

/** The directory's entry of the archive's first file begins here. */
const directoryOf = (bytes: Uint8Array) => Buffer.from(bytes).indexOf(Buffer.from("504b0102", "hex"));

test("a file is unpacked up to the limit for all files together", async () => {
  const bytes = await zip("a".repeat(600), "b".repeat(600));
  expect(await readAll(bytes, "0.xml", 1_200)).toBe(600);
  await expect(open(bytes, 1_199)).rejects.toThrow(/unpacks to more than/);
  expect((await open(bytes, 1_200)).open("2.xml")).toBeNull();
});

test("a file that is larger than it says is unpacked no further than that", async () => {
  const bytes = await zip("a".repeat(3_000_000));
  new DataView(bytes.buffer).setUint32(directoryOf(bytes) + 24, 10, true);
  await expect(readAll(bytes, "0.xml", 1_000_000)).rejects.toThrow(/damaged or incomplete/);
});

test("a file is unpacked as often as it is read", async () => {
  const archive = await open(await zip("a".repeat(600)), 1_000);
  for (let time = 0; time < 6; time += 1) {
    let length = 0;
    for await (const part of archive.open("0.XML") ?? []) length += part.length;
    expect(length).toBe(600);
  }
});

test("a file that is packed more tightly than any table is not unpacked", async () => {
  const bytes = await zip("0".repeat(9_000_000));
  expect(bytes.length).toBeLessThan(20_000);
  await expect(open(bytes, 100_000_000)).rejects.toThrow(/packed more tightly/);
});

test("an archive with a password, one cut short and one without a directory are refused", async () => {
  const bytes = await zip("a".repeat(600));
  await expect(open(bytes.subarray(0, -30), 1_000)).rejects.toThrow(/damaged or incomplete/);
  await expect(open(bytes.subarray(0, 10), 1_000)).rejects.toThrow(/damaged or incomplete/);
  const broken = bytes.slice();
  broken.fill(0xff, 40, 44);
  await expect(readAll(broken, "0.xml", 1_000)).rejects.toThrow(/damaged or incomplete/);
  bytes[directoryOf(bytes) + 8] = 1;
  await expect(open(bytes, 1_000)).rejects.toThrow(/password/);
});

test("a file in which one bit has changed is refused once it is read", async () => {
  const prices = Array.from({ length: 60 }, (_, at) => `<price>${(at * 7.31).toFixed(2)}</price>`).join("");
  const bytes = await zip(prices);
  for (let at = 35; at < directoryOf(bytes); at += 1) {
    const broken = bytes.slice();
    broken[at] = (broken[at] ?? 0) ^ 4;
    await expect(readAll(broken, "0.xml", 10_000)).rejects.toThrow(/damaged or incomplete/);
  }
});
