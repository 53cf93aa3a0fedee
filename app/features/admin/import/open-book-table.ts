import type { BookTable } from "./read-book-table.ts";

const MOST_MEGABYTES = 20;

/** The table of a file, or why it is none, in a sentence. Only now the reader is downloaded, and it works beside the page. */
export async function openBookTable(file: File): Promise<{ table: BookTable } | { problem: string }> {
  if (file.size > MOST_MEGABYTES * 1024 * 1024) {
    return { problem: `The file is larger than ${MOST_MEGABYTES} MB. Split it and import the parts.` };
  }
  const worker = new Worker(new URL("./book-table.worker.ts", import.meta.url), { type: "module" });
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = () => reject(new Error("The reader of tables did not start"));
      worker.postMessage(file);
    });
  } finally {
    worker.terminate();
  }
}
