const MAX_ENTRIES = 500;

type Cache = <T>(key: string, read: () => Promise<T>) => Promise<T>;

/**
 * Caches reads for one state of the catalogue. A new state starts an empty cache; with an unknown state (null) nothing
 * is cached, nor is a failed read.
 *
 * A finished read is shared by all visitors, a pending one only within a client (an IP address or network): it may be
 * queued behind that client's other requests, and no other client should wait with it.
 */
export function createCatalogueCache(): (state: string | null, client: string) => Cache {
  let cachedVersion: string | null = null;
  let entries = new Map<string, unknown>();
  const pending = new Map<string, Promise<unknown>>();
  return (state, client) => {
    if (state === null) return (_key, read) => read();
    if (state !== cachedVersion) {
      cachedVersion = state;
      entries = new Map();
    }
    const current = entries;
    return async <T>(key: string, read: () => Promise<T>) => {
      if (current.has(key)) return current.get(key) as T;
      const pendingKey = JSON.stringify([state, client, key]);
      const result = (pending.get(pendingKey) as Promise<T> | undefined) ?? read();
      pending.set(pendingKey, result);
      try {
        const value = await result;
        current.set(key, value);
        const [oldest] = current.keys();
        if (current.size > MAX_ENTRIES && oldest !== undefined) current.delete(oldest);
        return value;
      } finally {
        pending.delete(pendingKey);
      }
    };
  };
}
