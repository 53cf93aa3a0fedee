import type { ChildProcess } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import type { Backend } from "../backend.ts";
import { countBackendRestart } from "../metrics.ts";
import { callOver, readAnswer } from "../shared/call-database.ts";
import { currentRequestId, requestIdHeader } from "../shared/request-id.ts";
import type { Settings } from "../shared/settings.ts";
import { createPresence, type Presence } from "./presence.ts";
import {
  callPath,
  clientHeader,
  closeAccountPath,
  type Figures,
  figuresPath,
  type Purpose,
  readyPath,
  writeClient,
} from "./protocol.ts";
import { type SocketPool, socketFetch } from "./socket-fetch.ts";
import { socketPath } from "./socket-path.ts";
import { type Ready, startProcess, stopProcess } from "./supervisor.ts";

const restartPausesMs = [200, 1_000, 3_000, 10_000];
/**
 * One long job can keep the database from answering anything else: importing ten thousand books takes 7 s, and more
 * than a minute on a very busy machine. Only a longer silence is a fault.
 */
const silenceTimeoutMs = 180_000;
const checksPerTimeout = 18;
/** A restart takes a second or two, so waiting is better than failing. */
const arrivalTimeoutMs = 8_000;

const callTimeoutMs = 30_000;
const readyTimeoutMs = 5_000;

const unavailable = () =>
  Response.json(
    { code: "PT503", message: "The shop's database is starting again. Please try again in a moment." },
    { status: 503, headers: { "retry-after": "2" } },
  );

/** Retries with growing pauses until the work succeeds or is cancelled. */
async function retry<Result>(
  work: () => Promise<Result>,
  wanted: () => boolean,
  onFailure: (error: Error) => void,
): Promise<Result | null> {
  for (let attempt = 0; wanted(); attempt += 1) {
    await pause(restartPausesMs[Math.min(attempt, restartPausesMs.length - 1)]);
    try {
      return await work();
    } catch (error) {
      onFailure(error as Error);
    }
  }
  return null;
}

/** Each has its own connections: password checks must not delay pages, nor crowds of visitors the shop itself. */
function poolOf({ url }: Request, clientIp: string | null, purpose: Purpose): SocketPool {
  if (clientIp === null) return "shop";
  if (purpose === "page") return "pages";
  return new URL(url).pathname.startsWith("/auth/") ? "accounts" : "data";
}

/**
 * Connects a web process to the embedded backend over its socket.
 * @param presence whether the backend's process is running
 */
export function connectEmbedded(
  settings: Pick<Settings, "dataDir" | "workers">,
  publishableKey: string,
  presence: Presence,
): Backend & { answersWithin: (ms: number) => Promise<boolean> } {
  const socket = socketFetch(socketPath(settings.dataDir), settings.workers);

  const post = async (path: string, body: string) => {
    const signal = AbortSignal.timeout(callTimeoutMs);
    const request = new Request(`http://backend${path}`, { method: "POST", body, signal });
    return presence.isUp() ? socket.fetch(request).catch(unavailable) : unavailable();
  };

  const ask = async (path: string, timeoutMs: number) => {
    const request = new Request(`http://backend${path}`, { signal: AbortSignal.timeout(timeoutMs) });
    return presence.isUp() ? socket.fetch(request).catch(() => null) : null;
  };

  const answersWithin = async (ms: number) => (await ask(readyPath, ms))?.status === 204;

  return {
    kind: "embedded",
    notices: [],
    browserOrigin: null,
    publishableKey,
    fetch: async (request, clientIp = null, purpose = "browser") => {
      if (!presence.isUp()) {
        const timeout = pause(arrivalTimeoutMs, undefined, { ref: false, signal: request.signal });
        await Promise.race([presence.arrival(), timeout]);
      }
      if (!presence.isUp()) return unavailable();
      const headers = {
        [clientHeader]: writeClient(clientIp, purpose),
        [requestIdHeader]: currentRequestId() ?? "",
      };
      return socket.fetch(request, headers, poolOf(request, clientIp, purpose)).catch((error: Error) => {
        if (request.signal.aborted) throw error;
        return unavailable();
      });
    },
    call: callOver((path, body) => post(path.replace("/rest/v1/rpc/", callPath), body)),
    closeAccount: async (userId) => {
      await readAnswer(await post(closeAccountPath, JSON.stringify({ user_id: userId })));
    },
    answersWithin,
    ready: () => answersWithin(readyTimeoutMs),
    figures: async () => {
      const answer = await ask(figuresPath, 2_000);
      return answer?.ok ? ((await answer.json()) as Figures) : null;
    },
    stop: async () => socket.close(),
  };
}

/**
 * The embedded backend in a process of its own, which is restarted when it ends unexpectedly or does not answer for
 * `silenceMs`.
 * @param onPresence called when its process has ended, and when it is ready again
 */
export async function openEmbedded(
  settings: Settings,
  log: (line: string) => void,
  silenceMs = silenceTimeoutMs,
  onPresence: (isUp: boolean) => void = () => {},
): Promise<Backend> {
  let stopping = false;
  let child: ChildProcess;
  const presence = createPresence(onPresence);

  function adopt(started: { child: ChildProcess; ready: Ready }): void {
    child = started.child;
    presence.set(true);
    child.once("exit", (code, signal) => {
      presence.set(false);
      if (stopping) return;
      countBackendRestart();
      log(`backend: ended unexpectedly (${signal ?? code}); starting it again`);
      let lastMessage = "";
      void retry(
        () => startProcess(settings, log),
        () => !stopping,
        ({ message }) => {
          if (message !== lastMessage) log(`backend: cannot be started again yet. ${message}`);
          lastMessage = message;
        },
      ).then((again) => {
        if (again && stopping) void stopProcess(again.child);
        else if (again) adopt(again);
      });
    });
  }

  const first = await startProcess(settings, log);
  adopt(first);
  const connected = connectEmbedded(settings, first.ready.publishableKey, presence);

  let waiting: ChildProcess | null = null;
  const looking = setInterval(async () => {
    const watched = child;
    if (!presence.isUp() || waiting === watched) return;
    waiting = watched;
    const answered = await connected.answersWithin(silenceMs);
    waiting = null;
    if (answered || !presence.isUp() || watched !== child) return;
    log(`backend: no answer for ${silenceMs / 1_000} s; ending it`);
    watched.kill("SIGKILL");
  }, silenceMs / checksPerTimeout);
  looking.unref();

  return {
    ...connected,
    notices: first.ready.notices,
    stop: async () => {
      stopping = true;
      clearInterval(looking);
      await stopProcess(child);
      await connected.stop();
    },
  };
}
