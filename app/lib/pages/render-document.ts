import { Writable } from "node:stream";
import type { ReactNode } from "react";
import { renderToPipeableStream } from "react-dom/server";

/** All data is loaded before: rendering only waits for lazily loaded code, from the disk. */
const TIMEOUT_MS = 10_000;

/**
 * Renders a whole document, with every lazily loaded part.
 * @returns the HTML with one character per byte: searches in it are for ASCII, and decoding UTF-8 is slower
 * @throws what a part throws, or an error when one of them isn't there in time: a rendering that never ended would keep its turn for ever
 */
export function renderDocument(page: ReactNode, timeoutMs = TIMEOUT_MS): Promise<string> {
  return new Promise((resolve, reject) => {
    const texts: string[] = [];
    const output = new Writable({
      write(chunk: Buffer, _encoding, done) {
        texts.push(chunk.toString("latin1"));
        done();
      },
      final(done) {
        clearTimeout(timeout);
        resolve(texts.join(""));
        done();
      },
    });
    const fail = (error: unknown) => {
      clearTimeout(timeout);
      reject(error);
    };
    const { pipe, abort } = renderToPipeableStream(page, {
      // Finished boundaries are rendered in place instead of being moved there by a script.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady: () => pipe(output),
      onShellError: fail,
      onError: fail,
    });
    const timeout = setTimeout(
      () => abort(new Error("A part of the page was not loaded in time")),
      timeoutMs,
    );
  });
}
