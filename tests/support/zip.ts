import { createArchive } from "#app/lib/tables/zip.ts";

/** An archive of these files. */
export async function zip(files: Record<string, string>): Promise<Uint8Array<ArrayBuffer>> {
  const archive = createArchive();
  for (const [name, content] of Object.entries(files)) {
    const file = archive.open(name);
    await file.write(content);
    await file.end();
  }
  return new Uint8Array(await new Blob(archive.finish()).arrayBuffer());
}
