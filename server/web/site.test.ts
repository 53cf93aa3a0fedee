import { beforeEach, describe, expect, it } from "vitest";
import type { Backend } from "../api/backend.ts";
import { readSettings } from "../lib/settings.ts";
import { createSite } from "./site.ts";

const bindings = { incoming: { socket: { remoteAddress: "203.0.113.9" }, headers: {} }, outgoing: {} };

let ready: () => Promise<boolean>;
let apiRequests: { path: string; peer: string | null }[];

function site(kind: Backend["kind"] = "embedded", env: NodeJS.ProcessEnv = {}) {
  const backend: Backend = {
    kind,
    notices: [],
    browserOrigin: null,
    publishableKey: "key",
    call: null,
    closeAccount: null,
    ready: () => ready(),
    stop: async () => {},
    fetch: async (request, peer = null) => {
      apiRequests.push({ path: new URL(request.url).pathname, peer });
      return Response.json({ answered: "by the backend" });
    },
  };
  const pages = async (_: Request, clientIp: string) =>
    new Response(`a page for ${clientIp}`, { status: 404, headers: { "Content-Type": "text/html" } });
  const app = createSite({ settings: readSettings(env), backend, pages });
  return (path: string, init?: RequestInit) =>
    app.fetch(new Request(`http://localhost:3000${path}`, init), bindings as never);
}

beforeEach(() => {
  ready = async () => true;
  apiRequests = [];
});

describe("the site", () => {
  it("distinguishes live from ready", async () => {
    expect(await (await site()("/healthz")).json()).toEqual({ live: true, ready: true });
    ready = async () => Promise.reject(new Error("no database"));
    const live = await site()("/healthz");
    expect(live.status).toBe(200);
    expect(await live.json()).toEqual({ live: true, ready: false });
    expect((await site()("/readyz")).status).toBe(503);
  });

  it("checks the database once for however many ask at the same time", async () => {
    let checks = 0;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    ready = () => {
      checks += 1;
      return promise;
    };
    const get = site();
    const responses = Array.from({ length: 100 }, (_, n) => get(n % 2 ? "/healthz" : "/readyz"));
    resolve(true);
    for (const response of await Promise.all(responses)) expect(response.status).toBe(200);
    expect(checks).toBe(1);
    ready = async () => false;
    expect((await get("/readyz")).status).toBe(503);
  });

  it("passes the backend's three paths on, with the client's address, and no others", async () => {
    const get = site();
    for (const path of ["/rest/v1/books", "/auth/v1/token", "/storage/v1/object/x"]) {
      expect((await get(path)).status).toBe(200);
    }
    for (const path of ["/_system/config", "/rest/v2/books", "/restv1", "/admin/v1"]) {
      expect((await get(path)).status).toBe(404);
    }
    expect(apiRequests.map(({ path }) => path)).toEqual([
      "/rest/v1/books",
      "/auth/v1/token",
      "/storage/v1/object/x",
    ]);
    expect(apiRequests[0]?.peer).toBe("203.0.113.9");
  });

  it("renders a page for the client's address", async () => {
    for (const path of ["/shop", "/outbox", "/metrics"])
      expect(await (await site()(path)).text(), path).toBe("a page for 203.0.113.9");
  });

  it("passes nothing on to a hosted project, which browsers reach directly", async () => {
    expect((await site("hosted")("/rest/v1/books")).status).toBe(404);
    expect(apiRequests).toEqual([]);
  });

  it("sends its security headers with every response", async () => {
    for (const path of ["/shop", "/healthz", "/rest/v1/books"]) {
      const { headers } = await site()(path);
      expect(headers.get("X-Content-Type-Options"), path).toBe("nosniff");
      expect(headers.get("X-Frame-Options"), path).toBe("DENY");
      expect(headers.get("Referrer-Policy"), path).toBe("strict-origin-when-cross-origin");
      expect(headers.get("Permissions-Policy"), path).toContain("camera=()");
      expect(headers.has("Set-Cookie"), path).toBe(false);
    }
  });

  it("allows the camera to the page that scans alone", async () => {
    const policyOf = async (path: string) => (await site()(path)).headers.get("Permissions-Policy");
    expect(await policyOf("/admin/scan")).toContain("camera=(self)");
    for (const path of ["/admin", "/admin/scan/", "/admin/scanner", "/admin/scan.data", "/rest/v1/books"])
      expect(await policyOf(path), path).toContain("camera=()");
  });

  it("requires TLS of browsers only if the shop has it, and leaves subdomains alone", async () => {
    expect((await site()("/shop")).headers.has("Strict-Transport-Security")).toBe(false);
    const secure = site("embedded", { SITE_URL: "https://shop.example" });
    expect((await secure("/shop")).headers.get("Strict-Transport-Security")).toBe("max-age=63072000");
  });

  it("refuses bodies larger than any that the shop sends", async () => {
    const body = new Uint8Array(7 * 1024 * 1024);
    const post = site();
    const announced = await post("/rest/v1/orders", {
      method: "POST",
      body,
      headers: { "Content-Length": String(body.byteLength) },
    });
    expect(announced.status).toBe(413);
    expect(apiRequests).toEqual([]);
  });

  it("serves no other file of the machine", async () => {
    for (const path of [
      "/../package.json",
      "/..%2fpackage.json",
      "/assets/..%2f..%2fserver/index.js",
      "/.env",
    ]) {
      expect(await (await site()(path)).text(), path).toBe("a page for 203.0.113.9");
    }
  });
});
