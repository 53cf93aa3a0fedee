/* Started through scripts/launch.js by launcher.test.ts: says what it runs on, and waits to be ended. */
process.on("SIGTERM", () => process.exit(5));
console.log(JSON.stringify({ version: process.version, pid: process.pid, words: process.argv.slice(2) }));
if (process.argv.includes("fail")) process.exit(9);
setInterval(() => {}, 60_000);
