import type { TableFile } from "#shared/tables/table-file.ts";

/** The text of a finished file, with its byte order mark. */
export const textOf = async (file: TableFile): Promise<string> =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(await (await file.finish()).arrayBuffer());
