import { constants, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import bcrypt from "bcrypt";

/** A password with the hash that it is compared with, or with the salt for a new one. */
export type HashJob = { password: string; hash: string } | { password: string; salt: string };

/*
 * A thread that only hashes, at a lower priority than the threads that answer requests. Linux sets priorities per thread; elsewhere
 * this would lower the whole process's.
 */
if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

parentPort?.on("message", (job: HashJob) => {
  parentPort?.postMessage(
    "salt" in job ? bcrypt.hashSync(job.password, job.salt) : bcrypt.compareSync(job.password, job.hash),
  );
});
