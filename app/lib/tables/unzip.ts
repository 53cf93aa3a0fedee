import { crc32 } from "./zip.ts";

/*
 * Reads ZIP archives, as Excel workbooks are: what is in them from the directory at their end, and one file at a time, of which only a piece
 * is in memory. What a file says of its size is checked before anything is unpacked, and again while it is, with its checksum.
 */

/** An archive that is not read, in a sentence. */
export class ArchiveProblem extends Error {
  override name = "ArchiveProblem";
}

export type Archive = {
  /** The names of its files. */
  names: readonly string[];
  /** A file's bytes, unpacked as they are read; null if there is no such file. Case and escapes ('%20') in names don't matter. */
  open: (name: string) => AsyncIterable<Uint8Array> | null;
};

type Entry = { name: string; method: number; crc: number; packed: number; unpacked: number; at: number };

/** Few bytes that become many are made to exhaust a computer; text shrinks to a fiftieth at most. */
const MAX_RATIO = 250;
/** Tables below this size may be as repetitive as they like. */
const SMALL_BYTES = 8 * 1024 * 1024;
/** A workbook has about ten files, and one for each sheet and picture. */
const MAX_FILES = 5_000;

export const DAMAGED = "The file is damaged or incomplete. Save it again, and choose it again.";

/**
 * @param maxUnpacked how many bytes all its files may have together
 * @throws ArchiveProblem
 */
export async function openArchive(archive: Blob, maxUnpacked: number): Promise<Archive> {
  const entries = await readDirectory(archive);
  const unpacked = entries.reduce((sum, entry) => sum + entry.unpacked, 0);
  if (unpacked > maxUnpacked)
    throw new ArchiveProblem(
      `The file unpacks to more than ${Math.round(maxUnpacked / 1024 / 1024)} MB. Split it, or save it as CSV.`,
    );
  if (unpacked > SMALL_BYTES && unpacked > archive.size * MAX_RATIO)
    throw new ArchiveProblem("The file is packed more tightly than any table. Save it again, or as CSV.");
  const byName = new Map(entries.map((entry) => [comparable(entry.name), entry]));

  async function* unpack(entry: Entry): AsyncGenerator<Uint8Array> {
    // The size in the directory is only what the file says of itself.
    let left = entry.unpacked;
    let crc = 0;
    for await (const part of partsOf(archive, entry)) {
      left -= part.length;
      if (left < 0) throw new ArchiveProblem(DAMAGED);
      crc = crc32(part, crc);
      yield part;
    }
    if (left > 0 || crc !== entry.crc) throw new ArchiveProblem(DAMAGED);
  }
  return {
    names: entries.map(({ name }) => name),
    open: (name) => {
      const entry = byName.get(comparable(name));
      return entry ? unpack(entry) : null;
    },
  };
}

function comparable(name: string): string {
  try {
    return decodeURIComponent(name).toLowerCase();
  } catch {
    return name.toLowerCase();
  }
}

async function* partsOf(archive: Blob, entry: Entry): AsyncGenerator<Uint8Array> {
  const header = await viewOf(archive.slice(entry.at, entry.at + 30));
  if (header.byteLength < 30 || header.getUint32(0, true) !== 0x04034b50) throw new ArchiveProblem(DAMAGED);
  const start = entry.at + 30 + header.getUint16(26, true) + header.getUint16(28, true);
  const packed = archive.slice(start, start + entry.packed);
  if (packed.size < entry.packed || (entry.method !== 0 && entry.method !== 8))
    throw new ArchiveProblem(DAMAGED);
  const stream =
    entry.method === 0
      ? packed.stream()
      : packed.stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw new ArchiveProblem(DAMAGED);
      });
      if (done) return;
      yield value;
    }
  } finally {
    // Whoever stops early stops the unpacking.
    await reader.cancel().catch(() => {});
  }
}

/** The directory's end is in the last 64 KiB, before a comment. */
async function readDirectory(archive: Blob): Promise<Entry[]> {
  const lastStart = Math.max(0, archive.size - 22 - 0xffff);
  const last = await viewOf(archive.slice(lastStart));
  let end = last.byteLength - 22;
  while (end >= 0 && last.getUint32(end, true) !== 0x06054b50) end -= 1;
  if (end < 0) throw new ArchiveProblem(DAMAGED);
  const count = last.getUint16(end + 10, true);
  if (count > MAX_FILES)
    throw new ArchiveProblem("The file has too many parts for a workbook. Save it as CSV.");
  const start = last.getUint32(end + 16, true);
  const view = await viewOf(archive.slice(start, Math.min(lastStart + end, start + SMALL_BYTES)));
  let at = 0;
  const entries: Entry[] = [];
  for (let each = 0; each < count; each += 1) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== 0x02014b50)
      throw new ArchiveProblem(DAMAGED);
    if (view.getUint16(at + 8, true) & 1)
      throw new ArchiveProblem("The file is protected by a password. Save it without one.");
    const nameLength = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(
      new Uint8Array(view.buffer).subarray(at + 46, at + 46 + nameLength),
    );
    entries.push({
      // Some programs write Windows' separators.
      name: name.replaceAll("\\", "/").replace(/^\//, ""),
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packed: view.getUint32(at + 20, true),
      unpacked: view.getUint32(at + 24, true),
      at: view.getUint32(at + 42, true),
    });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

const viewOf = async (part: Blob) => new DataView(await part.arrayBuffer());
