/*
 * The router writes a page's data into it as a list in which objects name the positions of their keys and values. Few of these numbers are
 * the same in two books, so they hardly compress: a page of /shop is 5 % smaller with plain JSON, which a line of script turns into that
 * list.
 */

/** The router's call with its list, which is a JavaScript string. */
const CALL = "window.__reactRouterContext.streamController.enqueue(";
const END = ");</script>";

/** Of a value in the router's list: what stands for null. */
const NULL = -5;

/**
 * Runs in the page: the list of a value, as the router's own encoder makes it, but with a text as often as it occurs. Constant text; the
 * security policy has a hash of it with the page's data.
 */
const listOf = `d=>{const l=[],p=v=>v===null?${NULL}:(l.push(v)-1),f=v=>{const i=p(v);if(i>=0&&typeof v=="object")l[i]=Array.isArray(v)?v.map(f):Object.fromEntries(Object.entries(v).map(([k,w])=>["_"+f(k),f(w)]));return i};f(d);return JSON.stringify(l)+"\\n"}`;

type PageData = { loaderData: unknown; actionData: unknown; errors: unknown };

/**
 * @param html a page, one character per byte
 * @returns the page with its data as plain JSON; unchanged if they are more than JSON can say, such as an error
 */
export function compactData(html: string, { loaderData, actionData, errors }: PageData): string {
  const data = { loaderData, actionData, errors };
  const start = html.indexOf(CALL);
  if (start < 0 || html.includes(CALL, start + 1) || !isJson(data)) return html;
  const end = html.indexOf(END, start);
  if (end < 0) return html;
  const json = Buffer.from(JSON.stringify(data).replaceAll("<", "\\u003c")).toString("latin1");
  return `${html.slice(0, start)}${CALL}(${listOf})(${json})${html.slice(end)}`;
}

/** Whether JSON says all of it; what is undefined is left out. */
function isJson(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value === "boolean") return true;
  if (Array.isArray(value)) return value.every((each) => each !== undefined && isJson(each));
  if (typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.entries(value).every(([key, each]) => key !== "__proto__" && isJson(each));
}
