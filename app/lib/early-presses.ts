import { useEffect } from "react";

/**
 * Runs in the page's head: keeps what is pressed or chosen before the page's code is there, as long as the browser alone
 * has no answer, or for a member the wrong one. Links, menus and searches need no code. However often it was pressed,
 * each is done once. Constant text, hashed by the security policy.
 */
export const earlyPressScript = `{
const kept=new Map,again={click:b=>b.click(),submit:f=>f.requestSubmit(),change:s=>s.dispatchEvent(new Event("change",{bubbles:true}))},
needsCode={click:"button[type=button]:not([popovertarget])",submit:'form[method=dialog],[data-session] form[action="/auth"]',change:"select"};
for(const type in again)addEventListener(type,event=>{
const target="alive" in document.documentElement.dataset?null:event.target.closest(needsCode[type]);
if(target){event.preventDefault();kept.set(target,again[type])}
},true);
addEventListener("alive",()=>{for(const[target,press]of kept)press(target);kept.clear()})
}`;

/** Marks the document as answering presses, and answers those that came before. */
export function useAlive(): void {
  useEffect(() => {
    document.documentElement.dataset.alive = "";
    window.dispatchEvent(new Event("alive"));
  }, []);
}
