import { withStorage } from "#app/lib/browser/storage.ts";

/** Local storage key of this browser's id. It stays after sign-out, so that the next sign-in here is recognised. */
const DEVICE_KEY = "shop-device";

const givesPassword = /^\/auth\/v1\/token$|^\/account\/close$/;

/** This browser's random id, created at the first sign-in; null if the browser has no storage. */
function deviceId(): string | null {
  return withStorage("local", (storage) => {
    const stored = storage.getItem(DEVICE_KEY);
    if (stored) return stored;
    const made = crypto.randomUUID();
    storage.setItem(DEVICE_KEY, made);
    return made;
  });
}

/**
 * `fetch` that sends this browser's id with a password, so that an email can report a sign-in from a new one. Not for
 * a hosted project, whose CORS rules reject the header.
 */
export function createDeviceFetch(send: typeof fetch): typeof fetch {
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, window.location.origin);
    if (url.origin !== window.location.origin || !givesPassword.test(url.pathname)) return send(input, init);
    const id = deviceId();
    const headers = new Headers(init?.headers);
    if (id) headers.set("x-device", id);
    return send(input, { ...init, headers });
  };
}
