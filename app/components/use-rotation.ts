import { useEffect, useState, useSyncExternalStore } from "react";

const reducedMotion = "(prefers-reduced-motion: reduce)";

/** Nobody watches a hidden tab, and who asked for less motion gets none: then nothing advances by itself. */
function subscribeStillness(listener: () => void): () => void {
  const query = window.matchMedia(reducedMotion);
  query.addEventListener("change", listener);
  document.addEventListener("visibilitychange", listener);
  return () => {
    query.removeEventListener("change", listener);
    document.removeEventListener("visibilitychange", listener);
  };
}

const wantsStillness = () => document.hidden || window.matchMedia(reducedMotion).matches;

/**
 * Which of `count` slides is shown. Advances every `intervalMs` and wraps around, unless something holds it; going
 * somewhere by hand ends that for good. Another `count` (another layout) begins at the first slide.
 */
export function useRotation(count: number, intervalMs: number) {
  const [index, setIndex] = useState(0);
  const [shownCount, setShownCount] = useState(count);
  const [stopped, setStopped] = useState(false);
  const [paused, setPaused] = useState(false);
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const still = useSyncExternalStore(subscribeStillness, wantsStillness, () => true);

  if (count !== shownCount) {
    setShownCount(count);
    setIndex(0);
  }

  const running = !stopped && !paused && !hovered && !focused && !still;
  // Each slide gets its whole time: `index` restarts the clock.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!running) return;
    const timer = setTimeout(() => setIndex((current) => (current + 1) % count), intervalMs);
    return () => clearTimeout(timer);
  }, [running, index, count, intervalMs]);

  return {
    index: count === shownCount ? index : 0,
    stopped,
    paused,
    /** Shows a slide by hand; numbers beyond either end wrap around. */
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
