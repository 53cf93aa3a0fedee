import { expect, test, vi } from "vitest";
import { eventually } from "#tests/support/eventually.ts";
import type { Backend } from "../api/backend.ts";
import { fetchPublic } from "../lib/fetch-public.ts";
import { Refusal } from "../lib/refusal.ts";
import { readSettings } from "../lib/settings.ts";
import { linkedCoverRoutes, pictureType } from "./linked-cover-routes.ts";

const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 0]);

/** The route for somebody with this role and these duties; `fetchPicture` stands for the other website. */
function open({
  session = 200,
  role = "user",
  duties = [] as object[],
  step = null as string | null,
  fetchPicture = (async () => jpeg) as typeof fetchPublic,
} = {}) {
  const backend: Backend = {
    kind: "embedded",
    notices: [],
    browserOrigin: null,
    publishableKey: "key",
    call: null,
    ready: async () => true,
    stop: async () => {},
    closeAccount: null,
    fetch: async ({ url }) => {
      if (url.includes("/auth/v1/user")) return Response.json({ id: "1" }, { status: session });
      if (url.includes("get_user_role")) return Response.json(role);
      return Response.json(url.includes("duty=eq.catalogue") ? duties : step);
    },
  };
  const routes = linkedCoverRoutes(readSettings({}), backend, fetchPicture);
  return async (body: unknown = { url: "https://other.example/a.jpg" }) => {
    const bindings = { incoming: { socket: { remoteAddress: "203.0.113.9" }, headers: {} } };
    const request = new Request("http://localhost:3000/", { method: "POST", body: JSON.stringify(body) });
    const response = await routes.fetch(request, bindings as never);
    expect(response.headers.get("cache-control")).toBe("no-store");
    return response;
  };
}

const catalogue = { duties: [{ duty: "catalogue" }] };

test.each([
  ["an admin", { role: "admin" }],
  ["staff with the duty Catalogue", catalogue],
])("%s gets the picture of another website", async (_, who) => {
  const response = await open(who)();
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
  expect(await response.bytes()).toEqual(jpeg);
});

test.each([
  ["a visitor", { session: 401 }, 401],
  ["a customer", {}, 403],
  ["staff who haven't taken their second step", { ...catalogue, step: "code" }, 403],
])("nothing is fetched for %s", async (_, who, status) => {
  const fetchPicture = vi.fn();
  expect((await open({ ...who, fetchPicture })()).status).toBe(status);
  expect(fetchPicture).not.toHaveBeenCalled();
});

test.each([
  ["no address", {}, 400, "The address can't be read."],
  ["a very long one", { url: `https://a.example/${"a".repeat(2_000)}` }, 400, "The address can't be read."],
  ["the machine itself", { url: "http://127.0.0.1/" }, 422, "This address isn't on the public web."],
])("%s is refused with a message", async (_, body, status, message) => {
  const response = await open({ ...catalogue, fetchPicture: fetchPublic })(body);
  expect([response.status, await response.json()]).toEqual([status, expect.objectContaining({ message })]);
});

test("a refusal by another website, and content other than a picture, have a message", async () => {
  const page = async () => new Uint8Array(Buffer.from("<svg onload='alert(1)'>"));
  expect(await (await open({ ...catalogue, fetchPicture: page })()).json()).toMatchObject({
    message: "This is not a picture that can be read.",
  });
  const refuse = () =>
    Promise.reject(new Refusal(422, "not_fetched", "The other website responded with 404."));
  const response = await open({ ...catalogue, fetchPicture: refuse })();
  expect([response.status, await response.json()]).toMatchObject([
    422,
    { message: "The other website responded with 404." },
  ]);
});

test("four of ten simultaneous pictures are fetched; the others get 503 and succeed later", async () => {
  const { promise, resolve } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  const fetchPicture = vi.fn(() => promise);
  const post = open({ ...catalogue, fetchPicture });
  const responses = Array.from({ length: 10 }, () => post());
  const refused = await Promise.all([
    Promise.any(responses),
    eventually(() => expect(fetchPicture).toHaveBeenCalledTimes(4)),
  ]);
  expect(refused[0].headers.get("retry-after")).toBe("2");
  resolve(jpeg);
  const statuses = (await Promise.all(responses)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([...Array(4).fill(200), ...Array(6).fill(503)]);
  expect((await post()).status).toBe(200);
});

test.each([
  [[0xff, 0xd8, 0xff, 0xe0], "image/jpeg"],
  [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], "image/png"],
  [[...Buffer.from("GIF89a")], "image/gif"],
  [[...Buffer.from("RIFF1234WEBP")], "image/webp"],
  [[...Buffer.from("1234ftypavif")], "image/avif"],
  [[...Buffer.from("<html>")], null],
  [[], null],
])("a file that begins with %j is %s", (bytes, type) => {
  expect(pictureType(new Uint8Array(bytes))).toBe(type);
});
