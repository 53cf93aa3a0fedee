import { ArchiveProblem, openArchive } from "#app/lib/tables/unzip.ts";

/** Of a file's first bytes: whether it is a ZIP archive, in which publishers send large messages. Workbooks are archives, too. */
export const isArchive = ([first, second, third, fourth]: Uint8Array): boolean =>
  first === 0x50 && second === 0x4b && third === 0x03 && fourth === 0x04;

/**
 * The message in an archive, unpacked each time as it is read: its only XML file, of which a workbook has several. Null for any other file.
 * @param file of any size, as only a piece of it is in memory
 */
export async function openPackedOnix(file: Blob): Promise<(() => AsyncGenerator<Uint8Array>) | null> {
  try {
    const { names, open } = await openArchive(file, Infinity);
    // What macOS adds is named like the file itself.
    const [message, ...others] = names.filter(
      (name) => /\.(?:xml|onx|onix)$/i.test(name) && !name.startsWith("__MACOSX/"),
    );
    if (message === undefined || others.length > 0) return null;
    return async function* () {
      yield* open(message) ?? [];
    };
  } catch (error) {
    // The reader of workbooks says why.
    if (error instanceof ArchiveProblem) return null;
    throw error;
  }
}
