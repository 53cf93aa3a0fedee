import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";

const current = new AsyncLocalStorage<string>();

/** Ties together the response's header, the lines in both processes' logs and what an error page shows. */
export const requestIdHeader = "x-request-id";

/**
 * Short enough to read out on the phone. A client's own id is never used: it could forge log lines. Part of a UUID, because Node
 * buffers random bytes for UUIDs; randomBytes makes a system call each time.
 */
export const newRequestId = () => randomUUID().slice(-12);

/** Everything that `work` starts belongs to this request. */
export const withRequestId = <Result>(id: string, work: () => Result): Result => current.run(id, work);

/** The id of the request that this code runs for; undefined outside of requests. */
export const currentRequestId = () => current.getStore();
