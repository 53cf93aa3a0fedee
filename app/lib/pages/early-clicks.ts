import { useEffect } from "react";
import { RETURN_KEY } from "#app/lib/browser/env.ts";

/**
 * Runs in the page's head. It records clicks and choices made before hydration and replays each once, however often it
 * was clicked, where the browser would otherwise do nothing or, for a member, the wrong thing; likewise inside [data-late],
 * whose code arrives later. Links, menus and searches work without code. When a form leads a visitor to the sign-in page,
 * its intent is stored for after the sign-in. Constant text, hashed by the security policy.
 */
export const earlyClickScript = `{
const kept=new Map,again={click:b=>b.click(),submit:f=>f.requestSubmit(),change:s=>s.dispatchEvent(new Event("change",{bubbles:true}))},
early=e=>!("alive" in document.documentElement.dataset)||e.closest("[data-late]"),
needsCode={click:"button[type=button]:not([popovertarget])",submit:'form[method=dialog],[data-session] form[action="/auth"]',change:"select"};
for(const type in again)addEventListener(type,event=>{
const target=early(event.target)?event.target.closest(needsCode[type]):null;
if(target){event.preventDefault();kept.set(target,again[type])}
},true);
addEventListener("submit",event=>{
const{intent}=event.target.dataset;
if(intent&&early(event.target)&&!("session" in document.documentElement.dataset))try{sessionStorage.setItem("${RETURN_KEY}",JSON.stringify({intent:intent+":"+event.target.closest("[data-book]").dataset.book,path:location.pathname+location.search,top:scrollY,at:Date.now()}))}catch{}
},true);
addEventListener("alive",()=>{for(const[target,press]of kept)press(target);kept.clear()})
}`;

/** Marks what arrived late as hydrated. */
function markLateParts(): void {
  for (const part of document.querySelectorAll("[data-late]")) part.removeAttribute("data-late");
}

/** For a component whose code comes after the page's own, inside an element with data-late: replays the clicks in it. */
export const useReplayedLateClicks = (): void => useReplayedClicks(markLateParts);

/**
 * Replays the recorded clicks once `markHydrated` has marked the document, or a part whose code arrived late, as
 * hydrated. It must be stable between renders.
 */
export function useReplayedClicks(markHydrated: () => void): void {
  useEffect(() => {
    markHydrated();
    window.dispatchEvent(new Event("alive"));
  }, [markHydrated]);
}
