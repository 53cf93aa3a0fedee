import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";

const current = new AsyncLocalStorage<string>();

/** Ties together the response's header, the lines in both processes' logs and what an error page shows. */
export const requestIdHeader = "x-request-id";

/** Short enough to be read out on the phone. A caller's own id is never taken over: it could forge log lines. */
export const newRequestId = () => randomBytes(6).toString("hex");

/** Everything that `work` starts belongs to this request. */
export const withRequestId = <Result>(id: string, work: () => Result): Result => current.run(id, work);

/** The id of the request that this code runs for; undefined outside of requests. */
export const currentRequestId = () => current.getStore();
