const typeNames: Readonly<Record<string, string>> = {
  "application/pdf": "PDF",
  "application/epub+zip": "EPUB",
  "application/zip": "ZIP",
  "audio/mpeg": "MP3",
  "audio/mp4": "M4A",
  "video/mp4": "MP4",
};

/** A file type's name; an unknown type stays as it is. */
export const fileTypeName = (type: string): string => typeNames[type] ?? type;

/** '12.4 MB', '830 KB': a size in bytes, rounded. */
export function formatSize(bytes: number): string {
  const megabytes = bytes / 1024 / 1024;
  if (megabytes >= 0.95) return `${megabytes.toFixed(megabytes < 99.5 ? 1 : 0)} MB`;
  return `${Math.max(1, Math.round(bytes / 1024))} KB`;
}
