import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

const parent = process.ppid;
const EVERY_MS = 500;
const ownPackage = fileURLToPath(new URL("../package.json", import.meta.url));

function isOwnPackage(path) {
  try {
    return realpathSync(path) === realpathSync(ownPackage);
  } catch {
    return false;
  }
}

/**
 * Whether npm has started a shell for the launcher alone. Every descendant has npm's variables: a shell that an owner's script
 * opens, or that starts the shop in the background, may end while the shop goes on. Windows tells no process that its parent has ended.
 */
export function ownShell({ npm_lifecycle_script = "", npm_package_json = "" }, platform) {
  return (
    platform !== "win32" &&
    /^node scripts\/launch\.js [^&;|\n]+$/.test(npm_lifecycle_script) &&
    isOwnPackage(npm_package_json)
  );
}

/**
 * Calls `stop` once the shell has ended in which npm runs a script: npm passes a stop signal on to that shell, which ends without
 * passing it on. Plain old JavaScript, as launch.js is.
 */
export function stopWithShell(stop) {
  if (!ownShell(process.env, process.platform)) return;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, EVERY_MS);
  timer.unref();
}
