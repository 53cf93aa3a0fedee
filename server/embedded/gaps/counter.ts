import { isIPv6 } from "node:net";

/** Counts events per key in windows of fixed length, in bounded memory. */
export class Counter {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #entries = new Map<string, { count: number; endsAt: number }>();
  static readonly mostKeys = 20_000;

  constructor(limit: number, windowMs: number) {
    this.#limit = limit;
    this.#windowMs = windowMs;
  }

  #live(key: string, now: number) {
    const entry = this.#entries.get(key);
    if (entry && entry.endsAt > now) return entry;
    this.#entries.delete(key);
    return null;
  }

  /** Milliseconds until the key may go on; 0 when it may now. */
  waitMs(key: string, now: number): number {
    const entry = this.#live(key, now);
    return entry && entry.count >= this.#limit ? entry.endsAt - now : 0;
  }

  add(key: string, now: number): void {
    const entry = this.#live(key, now);
    if (entry) {
      entry.count += 1;
      return;
    }
    if (this.#entries.size >= Counter.mostKeys) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    this.#entries.set(key, { count: 1, endsAt: now + this.#windowMs });
  }

  /** Takes one event back: it turned out not to count. */
  takeBack(key: string): void {
    const entry = this.#entries.get(key);
    if (entry) entry.count -= 1;
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }
}

/**
 * What stands for "one peer" in limits: an IPv4 address, or the /64 that an IPv6 customer is given whole. Null for
 * this machine itself: that is a proxy which TRUSTED_PROXIES does not name, and everybody would share its limit.
 */
export function peerKey(peer: string): string | null {
  const address = peer.replace(/^::ffff:(?=\d+\.)/i, "");
  if (address === "unknown" || address === "::1" || address.startsWith("127.")) return null;
  if (!isIPv6(address)) return address;
  const [head = "", tail = ""] = address.split("::");
  const left = head.split(":").filter(Boolean);
  const right = tail.split(":").filter(Boolean);
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  return [...left, ...zeros, ...right]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
