import { useEffect } from "react";
import { type Location, useLocation } from "react-router";

/** Runs once the page is shown, and after each navigation while it stays, also to the same address. */
export function useOnLocation(run: (location: Location) => void): void {
  const location = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a navigation counts, not another function
  useEffect(() => {
    run(location);
  }, [location.key]);
}
