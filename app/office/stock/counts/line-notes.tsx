import { Badge } from "#app/components/badge.tsx";
import { countOf } from "#shared/text/count-of.ts";
import type { CountLine } from "./count.admin-queries.ts";

/** What is special about a book of a count. */
export function LineNotes({ line }: { line: CountLine }) {
  const moved = line.moved ?? 0;
  return (
    <>
      {!line.in_scope && <Badge variant="outline">Outside the count</Badge>}
      {line.again && <Badge variant="warning">Count again</Badge>}
      {line.round > 1 && line.counted === null && <Badge variant="warning">To be counted again</Badge>}
      {line.round > 1 && line.counted !== null && <Badge variant="secondary">Counted again</Badge>}
      {moved > 0 && (
        <Badge variant="outline">{countOf(moved, "copy", "copies")} moved between its scans</Badge>
      )}
    </>
  );
}
