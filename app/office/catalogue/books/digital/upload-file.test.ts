import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { PIECE_BYTES, type PieceStore, type UploadState, uploadFile } from "./upload-file.ts";

const content = new Uint8Array(2 * PIECE_BYTES + 10).map((_, index) => index % 251);
const file = new Blob([content]);
const sha256 = createHash("sha256").update(content).digest("hex");
const LOST = new Error("lost");

/** A store that has some pieces, and fails at these calls of `send`, from 1. */
function storeWith(arrived: [number, number][], failing: readonly number[] = []) {
  const sent: number[] = [];
  let calls = 0;
  const store: PieceStore = {
    list: async () => new Map(arrived),
    async send(_, piece, bytes) {
      calls += 1;
      if (failing.includes(calls)) throw LOST;
      expect(bytes.size).toBe(piece === 3 ? 10 : PIECE_BYTES);
      sent.push(piece);
    },
  };
  return { store, sent };
}

async function upload(store: PieceStore, changes: Partial<Parameters<typeof uploadFile>[0]> = {}) {
  const states: UploadState[] = [];
  const result = await uploadFile({
    file,
    store,
    idOf: () => "id",
    onChange: (state) => states.push(state),
    signal: new AbortController().signal,
    isTemporary: (error) => error === LOST,
    pause: async () => {},
    ...changes,
  });
  return { result, states };
}

test("a file is hashed and sent in pieces, with its progress", async () => {
  const { store, sent } = storeWith([]);
  const { result, states } = await upload(store);
  expect(result).toEqual({ id: "id", pieces: 3, sha256 });
  expect(sent).toEqual([1, 2, 3]);
  expect(states.at(-1)).toEqual({ step: "sending", done: file.size });
  expect(states.filter(({ step }) => step === "checking").map(({ done }) => done)).toEqual([
    0,
    PIECE_BYTES,
    2 * PIECE_BYTES,
  ]);
});

test("only missing and incomplete pieces are sent", async () => {
  const { store, sent } = storeWith([
    [1, PIECE_BYTES],
    [2, 5],
  ]);
  await upload(store);
  expect(sent).toEqual([2, 3]);
});

test("a lost connection pauses the upload, which resumes with the missing piece", async () => {
  const { store, sent } = storeWith([], [2, 3]);
  const pauses: number[] = [];
  const { states } = await upload(store, { pause: async (failures) => void pauses.push(failures) });
  expect(sent).toEqual([1, 2, 3]);
  expect(pauses).toEqual([0, 1]);
  expect(states).toContainEqual({ step: "paused", done: PIECE_BYTES });
});

test("a refusal ends the upload, and so does the user", async () => {
  const refused = new Error("refused");
  const { store } = storeWith([]);
  await expect(upload({ ...store, send: () => Promise.reject(refused) })).rejects.toBe(refused);
  const user = new AbortController();
  const pause = async () => user.abort(new Error("stopped"));
  await expect(upload(storeWith([], [1]).store, { pause, signal: user.signal })).rejects.toThrow("stopped");
});
