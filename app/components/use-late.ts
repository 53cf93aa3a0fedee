import { useEffect, useState } from "react";

type Late<Code> = {
  /** Fetches the code; the same function at each render. */
  load: () => Promise<Code>;
  onFailure: (error: unknown) => void;
};

/**
 * Code that is fetched once it is wanted. Unlike `lazy` it does not take the page down when the connection drops
 * meanwhile: the failure is told, and the next change of `wanted` to another true value tries again.
 * @returns the code, null until it is there
 */
export function useLate<Code>(wanted: unknown, { load, onFailure }: Late<Code>): Code | null {
  const [code, setCode] = useState<{ loaded: Code } | null>(null);

  useEffect(() => {
    if (!wanted || code) return;
    let current = true;
    load().then(
      (loaded) => current && setCode({ loaded }),
      (error: unknown) => current && onFailure(error),
    );
    return () => {
      current = false;
    };
  }, [wanted, code, load, onFailure]);

  return code?.loaded ?? null;
}
