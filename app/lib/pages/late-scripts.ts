const PRELOAD = /<link rel="modulepreload" href="([^"]+)"\/>/g;
const MODULE_SCRIPT = '<script type="module" async="">';

/** A page in three: what its head has, its content, and the router's scripts, which are last. */
export function cutDocument(html: string): { head: string; body: string; scripts: string } {
  const end = Math.max(html.indexOf("</head>"), 0);
  const module = html.indexOf(MODULE_SCRIPT, end);
  const start = module < 0 ? html.length : module;
  return { head: html.slice(0, end), body: html.slice(end, start), scripts: html.slice(start) };
}

/**
 * Sets a page's code aside for `lateScript`, because a page is readable before its code runs: on a slow connection the code must
 * not compete with the style sheet and the first picture, nor its start with the first paint on a slow processor. The router has no
 * setting for it.
 * @throws Error if the router writes its scripts differently
 */
export function setScriptsAside(head: string, scripts: string): { head: string; scripts: string } {
  const files = [...head.matchAll(PRELOAD)].map(([, path]) => path);
  // A page that failed outside every layout has no scripts.
  if (files.length === 0 && scripts === "") return { head, scripts };
  const [before, after, ...more] = scripts.split(MODULE_SCRIPT);
  if (files.length === 0 || before !== "" || after === undefined || more.length > 0)
    throw new Error("react-router writes the scripts of a page differently now");
  return {
    head: head.replaceAll(PRELOAD, ""),
    scripts: `<script type="late" data-files="${files.join(" ")}">${after}`,
  };
}

/**
 * Runs in the page's head. It starts the code that was set aside after the first paint; in a tab in the background, where nothing is
 * painted, as soon as the page has arrived. Pictures and fonts still come first. Constant text, hashed by the security policy,
 * as is the module that it starts.
 */
export const lateScript = `addEventListener("DOMContentLoaded",()=>{
const late=document.querySelector("script[type=late]");
let started=!late;
const add=(tag,properties)=>document.head.append(Object.assign(document.createElement(tag),properties)),
start=()=>{
if(started)return;
started=true;
for(const href of late.dataset.files.split(" "))add("link",{rel:"modulepreload",fetchPriority:"low",href});
add("script",{type:"module",textContent:late.textContent})
};
if(document.hidden)start();
requestAnimationFrame(()=>setTimeout(start));
addEventListener("visibilitychange",start)
});
`;
