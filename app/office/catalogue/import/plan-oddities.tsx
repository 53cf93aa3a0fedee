import { Link } from "react-router";
import { Badge } from "#app/components/badge.tsx";
import { exampleWords, ODDITIES, type Oddity } from "#app/office/catalogue/book-import/import-totals.ts";
import { Panel } from "#app/office/components/panel.tsx";
import { countOf } from "#shared/text/count-of.ts";

/** What looks odd about the plan, those to confirm first; each leads to its rows in the list below. */
export function PlanOddities({ importId, oddities }: { importId: string; oddities: Oddity[] }) {
  if (oddities.length === 0) return null;
  return (
    <div className="mb-6">
      <Panel title="What looks odd">
        <ul>
          {oddities.map(({ kind, count, isGrave, examples }) => (
            <li key={kind} className="border-t border-line py-3 first:border-t-0">
              <p className="figures">
                {isGrave && (
                  <>
                    <Badge variant="warning">Look first</Badge>{" "}
                  </>
                )}
                <strong className="font-semibold">{ODDITIES[kind].what(count)}.</strong>{" "}
                <span className="text-muted">{ODDITIES[kind].meaning}</span>
              </p>
              <Link
                to={`?id=${importId}&odd=${kind}#rows`}
                aria-label={`${showRows(count)}: ${ODDITIES[kind].name}`}
                className="inline-block py-2.5 font-semibold text-green underline underline-offset-4"
              >
                {showRows(count)}
              </Link>
              <details>
                <summary className="min-h-11 cursor-pointer content-center font-semibold text-green">
                  {countOf(examples.length, "example")}
                  <span className="sr-only">: {ODDITIES[kind].name}</span>
                </summary>
                <ul className="figures pb-2">
                  {examples.map((row) => (
                    <li key={row.line} className="wrap-anywhere">
                      <span className="text-muted">Line {row.line.toLocaleString("en-GB")}:</span>{" "}
                      {exampleWords(kind, row)}
                    </li>
                  ))}
                </ul>
              </details>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}

const showRows = (count: number) => (count === 1 ? "Show this row" : `Show these ${countOf(count, "row")}`);
