import { type BackendClient, createAnonymousBackend } from "#app/lib/backend/client.ts";
import type { OwnApi } from "./own-api.ts";

/** The library's client of an own API, as a visitor or with the secret key. */
export const ownClient = (api: OwnApi, key: "publishable" | "secret"): BackendClient =>
  createAnonymousBackend("http://shop.example", "unused", async (input, init) => {
    const { pathname, search } = new URL(String(input));
    const body = typeof init?.body === "string" ? { body: init.body } : {};
    return api.ask(pathname + search, { key, method: init?.method ?? "GET", ...body });
  });
