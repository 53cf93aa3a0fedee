import { constants, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import bcrypt from "bcrypt";

/** The salt contains bcrypt's version and cost, as a hash does. */
export type HashJob = { password: string; salt: string };

/*
 * A thread that only hashes, at a lower priority than the threads that handle requests. Linux sets priorities per thread; elsewhere
 * this would lower the whole process's.
 */
if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

parentPort?.on("message", ({ password, salt }: HashJob) => {
  parentPort?.postMessage(bcrypt.hashSync(password, salt));
});
