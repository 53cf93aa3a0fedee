/** `npm run draw`, or only some of it: `npm run draw -- icons pictures`. README.md beside this file says what each writes. */
import { argv, exit } from "node:process";

const parts = ["font", "print-font", "icons", "cloth", "pictures"];
const chosen = argv.slice(2);
const unknown = chosen.filter((name) => !parts.includes(name));
if (unknown.length > 0) {
  console.error(`Nothing here draws ${unknown.join(", ")}. There are: ${parts.join(", ")}.`);
  exit(1);
}
for (const part of chosen.length > 0 ? chosen : parts) await import(`./${part}.ts`);
