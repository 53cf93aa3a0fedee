import { makeInstalledShop } from "./installed-shop.ts";
import { fetchTools } from "./tools.ts";

/*
 * npm run packaging [-- npm-10 node-20 …]: installs the shop in a clean copy with every npm from 9 to 12 under Node 20, 22
 * and 24, and starts it. Ends with code 1 when any did not become ready.
 */

const chosen = process.argv.slice(2);
const isWanted = (kind: string, major: number) => {
  const named = chosen.filter((word) => word.startsWith(kind));
  return named.length === 0 || named.includes(`${kind}-${major}`);
};
let failures = 0;

for (const nodeMajor of [20, 22, 24].filter((major) => isWanted("node", major))) {
  for (const npmMajor of [9, 10, 11, 12].filter((major) => isWanted("npm", major))) {
    const name = `npm ${npmMajor} under Node ${nodeMajor}`;
    const started = performance.now();
    const result = await installAndStart(npmMajor, nodeMajor).catch((error: Error) => {
      failures += 1;
      return `FAILED: ${error.message}`;
    });
    console.log(`${name}: ${result} (${Math.round((performance.now() - started) / 1000)} s)`);
  }
}
process.exit(failures > 0 ? 1 : 0);

async function installAndStart(npmMajor: number, nodeMajor: number): Promise<string> {
  const tools = await fetchTools(npmMajor, nodeMajor);
  if (typeof tools === "string") return `skipped, ${tools}`;
  const shop = await makeInstalledShop(tools);
  try {
    const installation = await shop.npm("ci", "--omit=dev", "--prefer-offline");
    if (installation.code !== 0)
      throw new Error(`npm ci ended with ${installation.code}:\n${installation.output}`);
    const lines = installation.output.trim().split("\n").length;
    const started = await shop.start();
    await started.stop();
    return `ready, with npm ${tools.npm} and Node ${tools.node.slice(1)}; npm ci printed ${lines} lines`;
  } finally {
    await shop.remove();
  }
}
