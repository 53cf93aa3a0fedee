import { BackendFailure } from "#app/lib/backend/failure.ts";
import { UnusableCover } from "#app/office/catalogue/covers/cover-crop.ts";

export type LinkedCover = { id: string; title: string; image_url: string };

/** The steps of copying one cover; each throws a BackendFailure, and reading the picture an UnusableCover. */
export type CoverSteps = {
  /** The next books whose covers are linked from other websites, by id, after this one; none at the end. */
  list: (afterId: string | null) => Promise<LinkedCover[]>;
  /** Fetches the picture, and turns it into a cover. */
  fetch: (book: LinkedCover) => Promise<Blob>;
  upload: (cover: Blob) => Promise<string>;
  /** Gives the book its new cover, unless somebody has changed it since. */
  save: (book: LinkedCover, address: string) => Promise<void>;
  /** Resolves after a while, or when the signal aborts. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
};

export type CopyState = {
  copied: number;
  /** Why covers were not copied. */
  failed: { title: string; reason: string }[];
  /** The backend's message about the limit, while it waits. */
  waiting: string | null;
};

const WAIT_MS = 30_000;

/**
 * Copies all linked covers into the shop, one after the other. A cover that can't be copied stays a link; the upload limit is waited
 * for; any other failure ends it, and a restart continues with the rest.
 * @throws BackendFailure
 */
export async function copyLinkedCovers(
  steps: CoverSteps,
  report: (state: CopyState) => void,
  signal: AbortSignal,
): Promise<void> {
  let state: CopyState = { copied: 0, failed: [], waiting: null };
  const change = (values: Partial<CopyState>) => {
    state = { ...state, ...values };
    report(state);
  };
  const upload = async (cover: Blob): Promise<string | null> => {
    while (!signal.aborted) {
      try {
        return await steps.upload(cover);
      } catch (error) {
        if (!(error instanceof BackendFailure) || error.status !== 429) throw error;
        change({ waiting: error.refusal ?? "Waiting for the upload limit." });
        await steps.wait(WAIT_MS, signal);
      }
    }
    return null;
  };
  let last: string | null = null;
  while (!signal.aborted) {
    const books: LinkedCover[] = await steps.list(last);
    if (books.length === 0) return;
    for (const book of books) {
      if (signal.aborted) return;
      last = book.id;
      try {
        const address = await upload(await steps.fetch(book));
        if (address === null) return;
        await steps.save(book, address);
        change({ copied: state.copied + 1, waiting: null });
      } catch (error) {
        const reason = unusable(error);
        if (reason === null) throw error;
        change({ failed: [...state.failed, { title: book.title, reason }], waiting: null });
      }
    }
  }
}

function unusable(error: unknown): string | null {
  if (error instanceof UnusableCover) return error.message;
  return error instanceof BackendFailure && error.status === 422 ? error.refusal : null;
}
