import { Button } from "#app/components/button.tsx";
import type { ScanResult } from "./use-book-scans.ts";

type ScanNotesProps = {
  result?: ScanResult;
  problems: readonly { id: number | string; message: string }[];
  /** The number of pending scans. */
  waiting?: number;
  clearProblems: () => void;
};

/** Shows and announces the result of the last scan, and lists failed ones. */
export function ScanNotes({ result, problems, waiting = 0, clearProblems }: ScanNotesProps) {
  return (
    <>
      <p className="wrap-anywhere">
        <span role="status">
          <span key={result?.id}>{result?.text}</span>
        </span>
        {waiting > 1 && <span className="text-muted"> {waiting} scans are being looked up.</span>}
      </p>
      <div role="alert" className="empty:hidden">
        {problems.length > 0 && (
          <div className="mt-2 flex flex-wrap items-start justify-between gap-3 rounded-control border border-clay p-3">
            <ul className="grid gap-1 font-semibold text-clay wrap-anywhere">
              {problems.map(({ id, message }) => (
                <li key={id}>{message}</li>
              ))}
            </ul>
            <Button variant="secondary" size="small" onClick={clearProblems}>
              Clear
            </Button>
          </div>
        )}
      </div>
    </>
  );
}
