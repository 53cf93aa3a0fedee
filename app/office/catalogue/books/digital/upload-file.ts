import { createSha256 } from "#app/lib/browser/sha256.ts";

/** The size of a file's pieces in bytes, as the database has it; the last may be smaller. */
export const PIECE_BYTES = 4 * 1024 * 1024;

/** The backend calls of an upload; each fails with a BackendFailure. */
export type PieceStore = {
  /** The uploaded pieces, with their sizes in bytes. */
  list: (fileId: string) => Promise<Map<number, number>>;
  send: (fileId: string, piece: number, bytes: Blob) => Promise<void>;
};

export type UploadState = {
  step: "checking" | "sending" | "paused";
  /** Bytes that are hashed, or uploaded. */
  done: number;
};

type Upload = {
  file: Blob;
  store: PieceStore;
  /** The id of the unfinished upload of this content, or a new one. */
  idOf: (sha256: string) => string;
  onChange: (state: UploadState) => void;
  signal: AbortSignal;
  /** Whether to retry the same piece. */
  isTemporary: (error: unknown) => boolean;
  /** Waits until the retry is due. */
  pause: (failures: number) => Promise<void>;
};

/**
 * Hashes a file and uploads its missing pieces. A lost connection pauses it; it resumes with the missing piece.
 * @throws what the store throws, when it is not temporary; the signal's reason when it is aborted
 */
export async function uploadFile({ file, store, idOf, onChange, signal, isTemporary, pause }: Upload) {
  const pieces = Math.ceil(file.size / PIECE_BYTES);
  const pieceAt = (piece: number) => file.slice((piece - 1) * PIECE_BYTES, piece * PIECE_BYTES);

  const hash = createSha256();
  let done = 0;
  for (let piece = 1; piece <= pieces; piece += 1) {
    signal.throwIfAborted();
    onChange({ step: "checking", done });
    hash.add(new Uint8Array(await pieceAt(piece).arrayBuffer()));
    done += pieceAt(piece).size;
  }
  const sha256 = hash.digest();
  const id = idOf(sha256);

  /** Retries until it succeeds; a success resets the count of failures. */
  async function untilDone<Result>(run: () => Promise<Result>): Promise<Result> {
    for (let failures = 0; ; failures += 1) {
      signal.throwIfAborted();
      try {
        return await run();
      } catch (error) {
        if (!isTemporary(error)) throw error;
        onChange({ step: "paused", done });
        await pause(failures);
      }
    }
  }

  done = 0;
  onChange({ step: "sending", done });
  const arrived = await untilDone(() => store.list(id));
  for (let piece = 1; piece <= pieces; piece += 1) {
    const bytes = pieceAt(piece);
    if (arrived.get(piece) !== bytes.size)
      await untilDone(() => {
        onChange({ step: "sending", done });
        return store.send(id, piece, bytes);
      });
    done += bytes.size;
    onChange({ step: "sending", done });
  }
  return { id, pieces, sha256 };
}
