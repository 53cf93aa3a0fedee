import { startTestServer } from "./test-server.ts";

/** Before the first test file: all of them share one server. */
export const setup = startTestServer;
