/** The types of files that customers can download, as the database has them, with the endings of their names. */
export const fileEndings: Readonly<Record<string, readonly string[]>> = {
  "application/pdf": ["pdf"],
  "application/epub+zip": ["epub"],
  "application/zip": ["zip"],
  "audio/mpeg": ["mp3"],
  "audio/mp4": ["m4a", "m4b"],
  "video/mp4": ["mp4", "m4v"],
};
