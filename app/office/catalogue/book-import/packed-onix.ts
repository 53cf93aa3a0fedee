import { ArchiveProblem, openArchive } from "#app/lib/tables/unzip.ts";
import { isOnix, ONIX_START_BYTES } from "./onix-start.ts";

/** Of a file's first bytes: whether it is a ZIP archive, in which publishers send large messages. Workbooks are archives, too. */
export const isArchive = ([first, second, third, fourth]: Uint8Array): boolean =>
  first === 0x50 && second === 0x4b && third === 0x03 && fourth === 0x04;

/**
 * The message in an archive, unpacked each time as it is read: its only XML file, of which a workbook has several. Null for any other file.
 * @param file of any size, as only a piece of it is in memory
 * @param maxUnpacked how many bytes it may have unpacked
 */
export async function openPackedOnix(
  file: Blob,
  maxUnpacked = Infinity,
): Promise<(() => AsyncGenerator<Uint8Array>) | null> {
  try {
    const { names, open } = await openArchive(file, maxUnpacked);
    // What macOS adds is named like the file itself.
    const [message, ...others] = names.filter((name) =>
      /^(?!__MACOSX\/)(?:.*\/)?(?!\._)[^/]*\.(?:xml|onx|onix)$/i.test(name),
    );
    if (message === undefined || others.length > 0) return null;
    const unpack = async function* () {
      yield* open(message) ?? [];
    };
    // The only XML file of another archive, such as an ebook, is none.
    return isOnix(await startOf(unpack())) ? unpack : null;
  } catch (error) {
    // The reader of workbooks says why.
    if (error instanceof ArchiveProblem) return null;
    throw error;
  }
}

async function startOf(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const start = new Uint8Array(ONIX_START_BYTES);
  let length = 0;
  for await (const piece of pieces) {
    start.set(piece.subarray(0, start.length - length), length);
    length = Math.min(length + piece.length, start.length);
    if (length === start.length) break;
  }
  return start.subarray(0, length);
}
