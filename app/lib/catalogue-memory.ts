const MAX_READINGS = 500;

type Memory = <T>(key: string, read: () => Promise<T>) => Promise<T>;

/**
 * Readings kept as long as the catalogue stands still. A new state of the catalogue starts an empty memory; without a known
 * state (null) nothing is kept. A failed reading is forgotten at once.
 */
export function createCatalogueMemory(): (state: string | null) => Memory {
  let known: string | null = null;
  let readings = new Map<string, Promise<unknown>>();
  return (state) => {
    if (state === null) return (_key, read) => read();
    if (state !== known) {
      known = state;
      readings = new Map();
    }
    const kept = readings;
    return <T>(key: string, read: () => Promise<T>) => {
      const found = kept.get(key) as Promise<T> | undefined;
      if (found) return found;
      const reading = read();
      kept.set(key, reading);
      reading.catch(() => kept.delete(key));
      const [oldest] = kept.keys();
      if (kept.size > MAX_READINGS && oldest !== undefined) kept.delete(oldest);
      return reading;
    };
  };
}
