import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { showToast } from "#app/components/toast.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { lostResource } from "#app/lib/backend/lost-connection.ts";
import { isTemporary } from "#app/lib/backend/retry-rule.ts";
import { staffMessage } from "#app/lib/backend/staff-message.ts";
import { addDigitalFile, pieceStore } from "./digital.admin-queries.ts";
import { HEAD_BYTES, readFileType } from "./file-type.ts";
import { forgetUpload, uploadIdOf } from "./stored-uploads.ts";
import { type UploadState, uploadFile } from "./upload-file.ts";

const LONGEST_PAUSE_MS = 30_000;

/** Ends early when the device is online again, or by `resume`. */
function createPause() {
  let end = () => {};
  return {
    resume: () => end(),
    pause: (failures: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(() => end(), Math.min(2_000 * 2 ** failures, LONGEST_PAUSE_MS));
        end = () => {
          clearTimeout(timer);
          window.removeEventListener("online", end);
          resolve();
        };
        window.addEventListener("online", end);
      }),
  };
}

export type RunningUpload = UploadState & { name: string; size: number };

/** Uploads one file of a digital title at a time; leaving the page stops it. */
export function useUpload(bookId: string) {
  const queries = useQueryClient();
  const [running, setRunning] = useState<RunningUpload | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const current = useRef<{ stop: () => void; resume: () => void } | null>(null);

  useEffect(() => () => current.current?.stop(), []);

  async function start(file: File): Promise<void> {
    const { name, size } = file;
    const user = new AbortController();
    const { pause, resume } = createPause();
    current.current?.stop();
    const stop = () => {
      user.abort();
      resume();
    };
    current.current = { stop, resume };
    setProblem(null);
    setRunning({ name, size, step: "checking", done: 0 });
    try {
      const read = readFileType(file, new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()));
      if (read.problem !== undefined) return setProblem(read.problem);
      const client = await getBackend();
      const { id, pieces, sha256 } = await uploadFile({
        file,
        store: pieceStore(client, read.type),
        idOf: (hash) => uploadIdOf(bookId, hash),
        onChange: (state) => user.signal.aborted || setRunning({ name, size, ...state }),
        signal: user.signal,
        isTemporary: (error) => isTemporary(error) || lostResource(error) !== null,
        pause,
      });
      await addDigitalFile(client, { id, bookId, name, type: read.type, size, pieces, sha256 });
      forgetUpload(bookId, sha256);
      showToast("success", `${name} added`);
      await queries.invalidateQueries();
    } catch (error) {
      if (user.signal.aborted) return;
      logFailure("Uploading a file failed", error);
      setProblem(
        `${name} was not added. ${staffMessage(error) ?? "Choose it again to continue: parts that have arrived are not sent again."}`,
      );
    } finally {
      if (!user.signal.aborted) setRunning(null);
    }
  }

  return {
    running,
    problem,
    start,
    /** Sends the missing piece at once. */
    resume: () => current.current?.resume(),
    stop: () => {
      current.current?.stop();
      setRunning(null);
    },
  };
}
