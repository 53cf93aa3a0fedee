import { expect, test } from "vitest";
import { createOutgoing } from "./outgoing.ts";

const MEBIBYTE = 1024 * 1024;

/** A response of this many MiB, and whether its sender got rid of it. */
function large(mebibytes: number) {
  const state = { isTaken: false, isCanceled: false };
  const pieces = Array.from({ length: mebibytes }, () => new Uint8Array(MEBIBYTE));
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces.pop();
      if (piece) return controller.enqueue(piece);
      state.isTaken = true;
      controller.close();
    },
    cancel() {
      state.isCanceled = true;
    },
  });
  const headers = { "content-length": String(mebibytes * MEBIBYTE), etag: '"1"' };
  return { state, response: new Response(body, { headers }) };
}

test("A response is read from the backend completely before its client has read anything", async () => {
  const { state, response } = large(3);
  const answer = await createOutgoing()(response, "a");
  expect(state.isTaken).toBe(true);
  expect([answer.status, answer.headers.get("etag")]).toEqual([200, '"1"']);
  expect((await answer.arrayBuffer()).byteLength).toBe(3 * MEBIBYTE);
});

test("What one client leaves unread is bounded, and another client has its own share", async () => {
  const hold = createOutgoing(5 * MEBIBYTE, 100 * MEBIBYTE);
  const unread = await hold(large(4).response, "a");
  const refused = large(4);
  expect((await hold(refused.response, "a")).status).toBe(503);
  expect(refused.state.isCanceled).toBe(true);
  expect((await hold(large(4).response, "b")).status).toBe(200);
  expect(await (await hold(new Response("small"), "a")).text()).toBe("small");
  await unread.arrayBuffer();
  const disconnected = await hold(large(4).response, "a");
  expect(disconnected.status).toBe(200);
  await disconnected.body?.cancel();
  expect((await hold(large(4).response, "a")).status).toBe(200);
});

test("What all clients together leave unread is bounded", async () => {
  const hold = createOutgoing(5 * MEBIBYTE, 10 * MEBIBYTE);
  const statuses = [];
  for (const place of ["a", "b", "c"]) statuses.push((await hold(large(4).response, place)).status);
  expect(statuses).toEqual([200, 200, 503]);
});

test("A response that breaks off no longer counts", async () => {
  const hold = createOutgoing(5 * MEBIBYTE);
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error("broken off")) });
  const headers = { "content-length": String(4 * MEBIBYTE) };
  await expect(hold(new Response(body, { headers }), "a")).rejects.toThrow("broken off");
  expect((await hold(large(4).response, "a")).status).toBe(200);
});

/** A response of this many bytes, each unlike its neighbours, which says its length. */
function sized(length: number) {
  const bytes = Uint8Array.from({ length }, (_, at) => (at * 7 + (at >> 8)) % 251);
  return { bytes, response: new Response(bytes, { headers: { "content-length": String(length) } }) };
}
const SMALL = 64 * 1024;

test("A response without a body is passed on unchanged", async () => {
  const response = new Response(null, { status: 204 });
  expect(await createOutgoing()(response, "a")).toBe(response);
});

test("A refused client is asked to retry in a moment, and no cache stores that response", async () => {
  const refused = await createOutgoing(0, 0)(large(1).response, "a");
  expect([refused.status, refused.headers.get("retry-after"), refused.headers.get("cache-control")]).toEqual([
    ...[503, "2", "no-store"],
  ]);
  expect(await refused.json()).toEqual({
    code: "PT503",
    message: "The shop is busy. Please try again in a moment.",
  });
});

test("Responses of up to 64 KB are small: they are sent even when there is no room, and do not count", async () => {
  const hold = createOutgoing(SMALL + 1, SMALL + 1);
  for (let n = 0; n < 3; n += 1) expect((await hold(sized(SMALL).response, "a")).status).toBe(200);
  expect((await hold(sized(SMALL + 1).response, "a")).status).toBe(200);
  expect((await hold(sized(SMALL).response, "a")).status).toBe(200);
  expect((await hold(sized(SMALL + 1).response, "a")).status).toBe(503);
});

test("A response without a length counts as small", async () => {
  const hold = createOutgoing(0, 0);
  expect(await (await hold(new Response("text".repeat(SMALL)), "a")).text()).toHaveLength(4 * SMALL);
});

test("The limits can be used to the last byte, by one client and by all together", async () => {
  const each = createOutgoing(8 * MEBIBYTE, 100 * MEBIBYTE);
  const statuses = [];
  for (let n = 0; n < 3; n += 1) statuses.push((await each(large(4).response, "a")).status);
  const all = createOutgoing(100 * MEBIBYTE, 8 * MEBIBYTE);
  for (let n = 0; n < 3; n += 1) statuses.push((await all(large(4).response, String(n))).status);
  expect(statuses).toEqual([200, 200, 503, 200, 200, 503]);
});

test("Bytes that are read make room for all clients, but not in another client's share", async () => {
  const hold = createOutgoing(5 * MEBIBYTE, 8 * MEBIBYTE);
  const first = await hold(large(4).response, "a");
  await hold(large(4).response, "b");
  expect((await hold(large(4).response, "c")).status).toBe(503);
  await first.arrayBuffer();
  expect((await hold(large(4).response, "b")).status).toBe(503);
  expect((await hold(large(4).response, "c")).status).toBe(200);
});

test.each([SMALL + 1, 2 * SMALL, 3 * SMALL - 1])(
  "A response of %i bytes arrives unchanged, in pieces of 64 KB, and makes room only with its last one",
  async (length) => {
    const hold = createOutgoing(length, length);
    const { bytes, response } = sized(length);
    const reader = (await hold(response, "a")).body?.getReader();
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < length; at += SMALL) {
      await new Promise((resolve) => setImmediate(resolve));
      expect((await hold(sized(length).response, "a")).status).toBe(503);
      const piece = await reader?.read();
      if (piece?.value) pieces.push(piece.value);
    }
    expect((await hold(sized(length).response, "a")).status).toBe(200);
    expect((await reader?.read())?.done).toBe(true);
    expect(pieces.map(({ byteLength }) => byteLength).slice(0, -1)).toEqual(pieces.slice(1).map(() => SMALL));
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  },
);
