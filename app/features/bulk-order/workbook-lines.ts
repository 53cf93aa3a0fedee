import { openWorkbook, WorkbookProblem } from "#app/lib/tables/read-workbook.ts";
import { countOf } from "#shared/text/count-of.ts";

/** A publisher's whole catalogue as an order form. */
const MAX_ROWS = 20_000;

/**
 * The first sheet of a workbook with anything in it as tab-separated text, line for line, and a note if it has others; or the problem, in a
 * sentence.
 */
export async function readWorkbookLines(
  bytes: Uint8Array,
): Promise<{ text: string; note: string | null } | { problem: string }> {
  try {
    const { sheets, read } = await openWorkbook(bytes);
    const [first = "", ...others] = sheets;
    const rows = await read(first, MAX_ROWS);
    const lines: string[] = [];
    for (const { line, cells } of rows) {
      // A line keeps its number, by which a school finds it in its file.
      while (lines.length < Math.min(line - 1, MAX_ROWS)) lines.push("");
      lines.push(cells.map(written).join("\t"));
    }
    const note = `These are the lines of the sheet “${first}”. The file has ${countOf(others.length, "other sheet")}.`;
    return { text: lines.join("\n"), note: others.length > 0 ? note : null };
  } catch (error) {
    if (error instanceof WorkbookProblem) return { problem: error.message };
    throw error;
  }
}

/** A cell as text between tabs; a quotation mark at its start would begin a quoted one. */
function written(cell: string): string {
  const text = cell.replace(/\s+/g, " ").trim();
  return text.startsWith('"') ? `"${text.replaceAll('"', '""')}"` : text;
}
