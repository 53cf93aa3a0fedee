import { useRef, useState } from "react";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { retryStep } from "#app/lib/backend/retry.ts";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { useSingleRun } from "#app/office/frame/use-single-run.ts";
import { importBooklists, sentList } from "./list-import.admin-queries.ts";
import { inBatches, type ListPlan, refusedByFile } from "./list-plan.ts";
import type { FileList } from "./list-rows.ts";

/** Lists to send in batches, and the outcomes of those sent so far. */
type Work = { batches: { lists: ListPlan[]; dryRun: boolean; publish: boolean }[]; done: ListPlan[] };

/** Sends one batch after another; after a failure it continues with the batch that failed. */
async function sendAll(client: BackendClient, work: Work, signal: AbortSignal, onProgress: () => void) {
  for (let batch = work.batches[0]; batch; batch = work.batches[0]) {
    const { lists, ...how } = batch;
    const sent = lists.map(({ list, updated_at }) => sentList(list, updated_at));
    const responses = await retryStep(() => importBooklists(client, sent, how), { signal });
    work.done.push(...lists.map((plan, at) => ({ ...plan, ...outcome(plan, responses[at], how.dryRun) })));
    work.batches.shift();
    onProgress();
  }
}

/** A resent batch whose first response was lost comes back unchanged; it was saved the first time, so its planned action counts. */
function outcome(plan: ListPlan, response: Omit<ListPlan, "list"> | undefined, dryRun: boolean) {
  if (!response) throw new Error("The database has not answered for every list");
  return !dryRun && response.action === "unchanged" ? { ...response, action: plan.action } : response;
}

/**
 * Checks a file's lists against the shop, then saves those that change something. After a lost connection, both
 * resume.
 */
export function useListImport() {
  const [lists, setLists] = useState<FileList[]>([]);
  const [plans, setPlans] = useState<ListPlan[] | null>(null);
  const [results, setResults] = useState<ListPlan[] | null>(null);
  const [sent, setSent] = useState(0);
  const work = useRef<Work | null>(null);
  const { begin, end } = useSingleRun();

  const sending = useAdminMutation({
    run: async (client, { signal }: { signal: AbortSignal; isCheck: boolean }) => {
      try {
        if (!work.current) return null;
        const { current } = work;
        await sendAll(client, current, signal, () => setSent(current.done.length));
        return current.done;
      } catch (error) {
        if (signal.aborted) return null;
        throw error;
      } finally {
        end();
      }
    },
    success: () => null,
    failure: "Failed to send the lists",
    failureWithReason: true,
    long: true,
    onSuccess: (done, { isCheck }) => {
      if (done === null) return;
      work.current = null;
      if (isCheck) setPlans(done);
      else setResults((plans ?? []).map((plan) => done.find(({ list }) => list === plan.list) ?? plan));
    },
  });

  function send(isCheck: boolean, prepare: () => Work["batches"], done: ListPlan[] = []): void {
    const signal = begin();
    if (!signal) return;
    if (!work.current) {
      work.current = { batches: prepare(), done };
      setSent(0);
    }
    sending.mutate({ signal, isCheck });
  }

  return {
    plans,
    results,
    /** Lists processed so far, and their total. */
    progress: { sent, total: lists.length },
    isPending: sending.isPending,
    /** It was interrupted and can resume. */
    stopped: sending.isError,
    check: (read: FileList[]) => {
      setLists(read);
      const checked = read.map((list) => ({ list, refused: refusedByFile(list) }));
      const refused = checked.flatMap((one) => one.refused ?? []);
      const requested = checked.filter((one) => one.refused === null).map(({ list }) => newPlan(list));
      send(
        true,
        () => inBatches(requested).map((batch) => ({ lists: batch, dryRun: true, publish: false })),
        refused,
      );
    },
    save: (publish: boolean) => {
      const changing = (plans ?? []).filter(({ action }) => action === "add" || action === "update");
      send(false, () => inBatches(changing).map((batch) => ({ lists: batch, dryRun: false, publish })));
    },
    /** Clears everything, for another file or other columns. */
    restart: () => {
      work.current = null;
      setPlans(null);
      setResults(null);
      sending.reset();
    },
  };
}

const newPlan = (list: FileList): ListPlan => ({
  list,
  action: "add",
  id: null,
  updated_at: null,
  changes: [],
  inWords: [],
  problems: [],
});

export type ListImport = ReturnType<typeof useListImport>;
