import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { getBackend } from "#app/features/session/backend.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { staffMessage } from "#app/lib/backend/staff-message.ts";
import { uploadCover } from "#app/office/catalogue/covers/cover.admin-queries.ts";
import { coverFrom } from "#app/office/catalogue/covers/cover-crop.ts";
import { useAdminQuery } from "#app/office/frame/admin-data.ts";
import { countOf } from "#shared/text/count-of.ts";
import { fetchLinkedCover, listLinkedCovers, saveCopiedCover } from "./import.admin-queries.ts";
import { type CopyState, type CoverSteps, copyLinkedCovers } from "./linked-covers.ts";

const stepsOf = (client: BackendClient): CoverSteps => ({
  list: (afterId) => listLinkedCovers(client, afterId),
  fetch: async ({ image_url }) => coverFrom(await fetchLinkedCover(client, image_url)),
  upload: (cover) => uploadCover(client, cover, Date.now()),
  save: (book, address) => saveCopiedCover(client, book, address),
  wait: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener("abort", () => {
        clearTimeout(timer);
        resolve();
      });
    }),
});

const notStarted: CopyState = { copied: 0, failed: [], waiting: null };

/** Copies covers that are linked from other websites into the shop, if there are some. */
export function CopyCovers() {
  const found = useAdminQuery(["books", "linked-covers"], (client) => listLinkedCovers(client, null), {
    fresh: true,
  });
  const queries = useQueryClient();
  const [state, setState] = useState<CopyState | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [copying, setCopying] = useState<AbortController | null>(null);
  const last = useRef(copying);
  last.current = copying;
  useEffect(() => () => last.current?.abort(), []);
  const hasLinks = (found.data?.length ?? 0) > 0;
  if (!hasLinks && !state) return null;

  async function copy() {
    const controller = new AbortController();
    setCopying(controller);
    setProblem(null);
    setState(notStarted);
    try {
      await copyLinkedCovers(stepsOf(await getBackend()), setState, controller.signal);
    } catch (error) {
      logFailure("Copying covers failed", error);
      setProblem(staffMessage(error) ?? "Copying stopped. Click the button again to continue.");
    }
    setCopying(null);
    await queries.invalidateQueries();
  }

  return (
    <section aria-label="Linked covers" className="flex flex-col gap-3 border-t border-line pt-4">
      {hasLinks && !copying && (
        <p>
          Some books have covers on other websites. Copied into the shop, they load faster and can't
          disappear. An import that is undone afterwards leaves those books as they are.
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        {copying ? (
          <Button variant="secondary" onClick={() => copying.abort()}>
            Stop Copying
          </Button>
        ) : (
          hasLinks && (
            <Button variant="secondary" onClick={copy}>
              Copy Covers into the Shop
            </Button>
          )
        )}
      </div>
      <div role="status">{state && <CopyProgress state={state} copying={copying !== null} />}</div>
      {problem && (
        <p role="alert" className="text-clay">
          {problem}
        </p>
      )}
      {state && state.failed.length > 0 && (
        <details>
          <summary className="cursor-pointer py-2">{`${countOf(state.failed.length, "cover")} could not be copied`}</summary>
          <ul className="flex flex-col gap-1 text-muted">
            {state.failed.map(({ title, reason }) => (
              <li key={`${title} ${reason}`}>
                <bdi>{title}</bdi>: {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function CopyProgress({ state: { copied, waiting }, copying }: { state: CopyState; copying: boolean }) {
  return (
    <>
      <p className="figures">{`${countOf(copied, "cover")} copied${copying ? " so far" : ""}`}</p>
      {copying && waiting && <p className="text-muted">{waiting} Copying continues automatically.</p>}
    </>
  );
}
