import { useEffect, useState, useSyncExternalStore } from "react";
import { savesData } from "#app/lib/browser/saved-data.ts";
import { useMediaQuery } from "./use-media-query.ts";

const reducedMotion = "(prefers-reduced-motion: reduce)";

function subscribeVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}

/**
 * Which of `count` slides is shown. Advances every `intervalMs` and wraps around, unless it is held; choosing a slide
 * by hand stops that for good. Another `count` (another layout) starts at the first slide.
 */
export function useRotation(count: number, intervalMs: number) {
  const [index, setIndex] = useState(0);
  const [shownCount, setShownCount] = useState(count);
  const [stopped, setStopped] = useState(false);
  const [paused, setPaused] = useState(false);
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  // No automatic rotation in a hidden tab, or when the visitor prefers reduced motion.
  const isHidden = useSyncExternalStore(
    subscribeVisibility,
    () => document.hidden,
    () => true,
  );
  const still = useMediaQuery(reducedMotion) || isHidden;

  if (count !== shownCount) {
    setShownCount(count);
    setIndex(0);
  }

  const running = !stopped && !paused && !hovered && !focused && !still;
  // Each slide gets its full time: `index` restarts the timer.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!running || savesData()) return;
    const timer = setTimeout(() => setIndex((current) => (current + 1) % count), intervalMs);
    return () => clearTimeout(timer);
  }, [running, index, count, intervalMs]);

  return {
    index: count === shownCount ? index : 0,
    stopped,
    paused,
    /** Shows a slide and stops the rotation; numbers beyond either end wrap around. */
    goTo: (slide: number) => {
      setStopped(true);
      setIndex((slide + count) % count);
    },
    togglePaused: () => setPaused(!paused),
    holders: {
      onPointerEnter: (event: { pointerType: string }) => event.pointerType === "mouse" && setHovered(true),
      onPointerLeave: () => setHovered(false),
      onFocus: () => setFocused(true),
      onBlur: () => setFocused(false),
    },
  };
}
