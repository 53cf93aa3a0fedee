import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Fact } from "#app/components/fact.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { countOf } from "#shared/text/count-of.ts";
import { isUuid } from "#shared/text/uuid.ts";
import { type Count, findCount } from "./count.admin-queries.ts";
import { CountActions } from "./count-actions.tsx";
import { CountLines } from "./count-lines.tsx";
import { CountStatus } from "./count-table.tsx";
import { byOn, differencesText, progressText, scopeText } from "./count-texts.ts";
import { ScanPanel } from "./scan-panel.tsx";
import { useScans } from "./use-scans.ts";

/** One count: the scan box, everyone's counts so far, and the buttons that book or discard it. */
export function CountPage({ id }: { id: string }) {
  const count = useAdminQuery(["counts", "one", id], (client) => findCount(client, id), {
    refreshing: "often",
    enabled: isUuid(id),
  });
  const failure = readFailure("count", count);
  const isMissing = count.data === null || !isUuid(id);
  return (
    <AdminPage
      title={count.data?.name ?? "Count"}
      lead={count.data ? scopeText(count.data) : undefined}
      actions={
        <Link to="/admin/counts" className={buttonClass({ variant: "quiet", size: "small" })}>
          All counts
        </Link>
      }
    >
      {failure && <RetryNote {...failure} />}
      {isMissing && <p>This count doesn't exist.</p>}
      {!failure && !isMissing && count.data === undefined && <Skeleton className="h-96" />}
      {count.data && <OneCount count={count.data} />}
    </AdminPage>
  );
}

function OneCount({ count }: { count: Count }) {
  const scans = useScans(count.id);
  const isOpen = count.status === "open";
  return (
    <div className="grid gap-5">
      <UnknownCodes codes={count.unknown_codes} />
      {isOpen && <ScanPanel countId={count.id} scans={scans} />}
      <dl className="figures grid grid-cols-2 gap-x-6 gap-y-3 @3xl:flex @3xl:flex-wrap @3xl:gap-x-10">
        <Fact name="Status" className="">
          <CountStatus status={count.status} />
        </Fact>
        <Fact name="Counted" className="font-semibold">
          {progressText(count)}
        </Fact>
        <Fact name="Differences" className="font-semibold">
          {differencesText(count)}
        </Fact>
        {isOpen && (
          <Fact name="To count again" className="font-semibold">
            {count.again === 0 ? "None" : countOf(count.again, "book")}
          </Fact>
        )}
        <Fact name="Begun" className="">
          {byOn(count.by_name, count.created_at)}
        </Fact>
        {count.closed_at && (
          <Fact name={count.status === "booked" ? "Booked" : "Discarded"} className="">
            {byOn(count.closed_by_name, count.closed_at)}
          </Fact>
        )}
      </dl>
      {isOpen && <CountActions count={count} unsent={scans.waiting} />}
      <CountLines count={count} onChoose={scans.choose} />
    </div>
  );
}

const MOST_NAMED = 20;

function UnknownCodes({ codes }: { codes: readonly string[] }) {
  if (codes.length === 0) return null;
  const more = codes.length - MOST_NAMED;
  return (
    <Callout tone="warning">
      <p>
        {countOf(codes.length, "pasted line has", "pasted lines have")} no book in the shop:{" "}
        <bdi className="wrap-anywhere">{codes.slice(0, MOST_NAMED).join(", ")}</bdi>
        {more > 0 && ` and ${more.toLocaleString("en-GB")} more`}.
      </p>
    </Callout>
  );
}
