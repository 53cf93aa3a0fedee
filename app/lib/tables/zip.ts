/*
 * Writes ZIP archives file after file, each compressed as its text comes. Only the compressed bytes are kept.
 */

export type ArchiveFile = { write: (text: string) => Promise<void>; end: () => Promise<void> };

type Written = { name: Uint8Array; crc: number; packed: number; unpacked: number; at: number };

export function createArchive(): {
  open: (name: string) => ArchiveFile;
  finish: () => Uint8Array<ArrayBuffer>[];
} {
  const encoder = new TextEncoder();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const files: Written[] = [];
  let length = 0;
  const put = (part: Uint8Array<ArrayBuffer>) => {
    parts.push(part);
    length += part.length;
  };

  return {
    /** One at a time: the next after the end of the one before. */
    open(name) {
      const stream = new CompressionStream("deflate-raw");
      const writer = stream.writable.getWriter();
      const packed = collect(stream.readable);
      const file: Written = { name: encoder.encode(name), crc: 0, packed: 0, unpacked: 0, at: 0 };
      return {
        async write(text) {
          const bytes = encoder.encode(text);
          file.crc = crc32(bytes, file.crc);
          file.unpacked += bytes.length;
          await writer.write(bytes);
        },
        async end() {
          await writer.close();
          const chunks = await packed;
          file.packed = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
          file.at = length;
          put(header(LOCAL, file));
          put(file.name as Uint8Array<ArrayBuffer>);
          for (const chunk of chunks) put(chunk);
          files.push(file);
        },
      };
    },
    finish() {
      const start = length;
      for (const file of files) {
        put(header(DIRECTORY, file));
        put(file.name as Uint8Array<ArrayBuffer>);
      }
      put(
        record([
          [4, 0x06054b50],
          [4, 0],
          [2, files.length],
          [2, files.length],
          [4, length - start],
          [4, start],
          [2, 0],
        ]),
      );
      return parts;
    },
  };
}

async function collect(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>[]> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return chunks;
    chunks.push(value);
  }
}

type Field = [bytes: 2 | 4, value: number];

function record(fields: readonly Field[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(fields.reduce((sum, [size]) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [size, value] of fields) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return bytes;
}

const LOCAL = 0x04034b50;
const DIRECTORY = 0x02014b50;

/** A file's header, before its bytes or in the directory; names are UTF-8, the day is 1 January 1980. */
function header(kind: number, { name, crc, packed, unpacked, at }: Written): Uint8Array<ArrayBuffer> {
  const isLocal = kind === LOCAL;
  return record([
    [4, kind],
    ...(isLocal ? [] : [[2, 20] as Field]),
    ...([
      [2, 20],
      [2, 0x0800],
      [2, 8],
      [2, 0],
      [2, 0x21],
    ] as Field[]),
    ...([
      [4, crc],
      [4, packed],
      [4, unpacked],
      [2, name.length],
      [2, 0],
    ] as Field[]),
    ...(isLocal
      ? []
      : ([
          [2, 0],
          [2, 0],
          [2, 0],
          [4, 0],
          [4, at],
        ] as Field[])),
  ]);
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** The checksum of some bytes after those of `before`. */
export function crc32(bytes: Uint8Array, before: number): number {
  let crc = ~before;
  for (const byte of bytes) crc = (crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0);
  return ~crc >>> 0;
}
