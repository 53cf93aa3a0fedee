import { spawn } from "node:child_process";

/* Windows has no signals: watches the server and shuts it down with pg_ctl when the backend's pipe closes. */

const [pgCtl = "", postgres = "", ...args] = process.argv.slice(2);
const folder = args[args.indexOf("-D") + 1] ?? "";
const server = spawn(postgres, args, { stdio: ["ignore", "ignore", "inherit"], windowsHide: true });
server.once("error", () => process.exit(1));
server.once("exit", (code) => process.exit(code ?? 1));
process.stdin.once("close", () => {
  spawn(pgCtl, ["stop", "-D", folder, "-m", "fast", "-W"], { stdio: "ignore", windowsHide: true });
});
process.stdin.resume();
