import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { retryStep } from "#app/lib/backend/retry.ts";
import { isTemporary } from "#app/lib/backend/retry-rule.ts";
import { staffMessage } from "#app/lib/backend/staff-message.ts";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { newUuid } from "#shared/text/new-uuid.ts";
import { type Scan, scanStock } from "./count.admin-queries.ts";

/** A scan that was refused, and why. Each stays until it is cleared: the person counting looks at books. */
type RefusedScan = { id: string; message: string };

/**
 * Sends scans one after the other, in the order in which they were made. Each keeps its id, so that one whose response was lost counts
 * once; without a connection they wait until the next scan or `sendAgain`.
 */
export function useScans(countId: string) {
  const queries = useQueryClient();
  const queue = useRef<Scan[]>([]);
  const sending = useRef(false);
  const [waiting, setWaiting] = useState(0);
  const [stopped, setStopped] = useState(false);
  const [refused, setRefused] = useState<RefusedScan[]>([]);
  /** The book that was scanned last. */
  const [bookId, setBookId] = useState<string | null>(null);

  const { mutate } = useAdminMutation({
    run: async (client, { signal }: { signal: AbortSignal }) => {
      try {
        for (let scan = queue.current[0]; scan; scan = queue.current[0]) {
          const sent = scan;
          try {
            setBookId(await retryStep(() => scanStock(client, countId, sent), { signal }));
            void queries.invalidateQueries({ queryKey: ["counts", "line", countId] });
          } catch (error) {
            if (isTemporary(error)) throw error;
            const message = staffMessage(error) ?? "This scan was refused.";
            setRefused((before) => [{ id: sent.id, message }, ...before]);
          }
          queue.current.shift();
          setWaiting(queue.current.length);
        }
      } catch (error) {
        setStopped(true);
        throw error;
      } finally {
        sending.current = false;
      }
    },
    success: () => null,
    failure: "Failed to send a scan",
    isShown: () => true,
    long: true,
  });

  function sendAll() {
    if (sending.current || queue.current.length === 0) return;
    sending.current = true;
    setStopped(false);
    mutate({ signal: new AbortController().signal });
  }

  return {
    bookId,
    choose: setBookId,
    waiting,
    /** Whether the scans that wait could not be sent. */
    stopped,
    sendAgain: sendAll,
    refused,
    clearRefused: () => setRefused([]),
    scan(scan: Omit<Scan, "id">) {
      queue.current.push({ ...scan, id: newUuid() });
      setWaiting(queue.current.length);
      sendAll();
    },
  };
}

export type Scans = ReturnType<typeof useScans>;
