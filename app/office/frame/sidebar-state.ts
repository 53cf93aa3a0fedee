import { useEffect, useState } from "react";

const COOKIE = "sidebar";
const WEEK_SECONDS = 7 * 24 * 60 * 60;

/** Below this width the sidebar is a sheet over the page (spec section 9). */
const mobile = "(max-width: 767px)";

export type SidebarState = {
  /** Shows labels, not only icons. */
  expanded: boolean;
  /** On a phone: open over the page. */
  sheetOpen: boolean;
  setSheetOpen: (open: boolean) => void;
  toggle: () => void;
};

/** Whether the sidebar was expanded when last used; the cookie is read only in the browser. */
export function readSidebarCookie(cookies: string): boolean {
  return !cookies.split("; ").includes(`${COOKIE}=collapsed`);
}

export function sidebarCookie(expanded: boolean): string {
  return `${COOKIE}=${expanded ? "expanded" : "collapsed"}; path=/admin; max-age=${WEEK_SECONDS}; samesite=lax`;
}

/** The sidebar's state, its cookie and its shortcut, Ctrl+B or Cmd+B. For browser-only rendering. */
export function useSidebarState(): SidebarState {
  const [expanded, setExpanded] = useState(() => readSidebarCookie(document.cookie));
  const [sheetOpen, setSheetOpen] = useState(false);

  const toggle = () => {
    if (window.matchMedia(mobile).matches) {
      setSheetOpen(!sheetOpen);
      return;
    }
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that staff use
    document.cookie = sidebarCookie(!expanded);
    setExpanded(!expanded);
  };

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "b" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      toggle();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });

  return { expanded, sheetOpen, setSheetOpen, toggle };
}
