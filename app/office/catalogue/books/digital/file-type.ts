import { fileEndings } from "#shared/books/file-endings.ts";
import { fileTypeName } from "#shared/books/file-facts.ts";

/** For a file picker. */
export const FILE_ENDINGS = Object.values(fileEndings)
  .flatMap((endings) => endings.map((ending) => `.${ending}`))
  .join(",");

/** Bytes needed to detect a file's type. */
export const HEAD_BYTES = 100;

/** In bytes; the database has the same limit. */
export const MOST_BYTES = 200 * 1024 * 1024;

/** A file's type by its first bytes; null for unsupported types. */
function typeOfBytes(head: Uint8Array, ending: string): string | null {
  const text = String.fromCharCode(...head.subarray(0, HEAD_BYTES));
  if (text.startsWith("%PDF-")) return "application/pdf";
  if (text.startsWith("PK\u0003\u0004"))
    return text.startsWith("mimetypeapplication/epub+zip", 30) ? "application/epub+zip" : "application/zip";
  if (text.startsWith("ID3") || (head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2)) return "audio/mpeg";
  // Most, but not all, encoders mark audio as 'M4A'.
  if (text.startsWith("ftyp", 4))
    return /^M4[AB] /.test(text.slice(8)) || ending.startsWith("m4a") ? "audio/mp4" : "video/mp4";
  return null;
}

/** A file's type by its content, or why it is refused. Its name must end as others of its type do. */
export function readFileType(
  { name, size }: { name: string; size: number },
  head: Uint8Array,
): { type: string; problem?: never } | { problem: string } {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  if (size === 0) return { problem: `${name} is empty.` };
  if (size > MOST_BYTES) return { problem: `${name} is larger than 200 MB.` };
  const type = typeOfBytes(head, ending);
  if (type === null)
    return { problem: `${name} is not a PDF, EPUB, ZIP, MP3, M4A or MP4 file, whatever its name says.` };
  const endings = fileEndings[type] ?? [];
  if (!endings.includes(ending))
    return {
      problem: `${name} is a file of the type ${fileTypeName(type)}. Its name must end in .${endings[0]}, or customers can't open it.`,
    };
  return { type };
}
