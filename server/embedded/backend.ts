import type { ChildProcess } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import type { Backend } from "../backend.ts";
import type { Settings } from "../settings.ts";
import { peerHeader, readyPath } from "./protocol.ts";
import { socketFetch } from "./socket-fetch.ts";
import { type Ready, startProcess, stopProcess } from "./supervisor.ts";

const restartPausesMs = [200, 1_000, 3_000, 10_000];
/**
 * A database that works on something long answers nobody: ten thousand imported books take it 7 s, on a machine busy with
 * ten other things more than a minute. Only more silence than that is a fault.
 */
const silencePatienceMs = 180_000;
const looksWithinPatience = 18;
/** A restart takes a second or two: a request had better wait than fail. */
const arrivalPatienceMs = 8_000;

const unavailable = () =>
  Response.json(
    { code: "PT503", message: "The shop's database is starting again. Please try again in a moment." },
    { status: 503, headers: { "retry-after": "2" } },
  );

/** Tries a piece of work again and again, with growing pauses, until it succeeds or nobody wants it any more. */
async function insist<Result>(
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

/**
 * The embedded backend as the web process sees it: a process of its own, reached over a socket and started again
 * when it ends unexpectedly or says nothing for `silenceMs`.
 */
export async function openEmbedded(
  settings: Settings,
  tell: (line: string) => void,
  silenceMs = silencePatienceMs,
): Promise<Backend> {
  let stopping = false;
  let child: ChildProcess;
  let current: Ready | null = null;
  let recovery: Promise<unknown> = Promise.resolve();

  function adopt(started: { child: ChildProcess; ready: Ready }): void {
    child = started.child;
    current = started.ready;
    child.once("exit", (code, signal) => {
      current = null;
      if (stopping) return;
      tell(`backend: ended unexpectedly (${signal ?? code}); starting it again`);
      let told = "";
      recovery = insist(
        () => startProcess(settings, tell),
        () => !stopping,
        ({ message }) => {
          if (message !== told) tell(`backend: cannot be started again yet. ${message}`);
          told = message;
        },
      ).then((again) => {
        if (again && stopping) void stopProcess(again.child);
        else if (again) adopt(again);
      });
    });
  }

  let first = await startProcess(settings, tell);
  for (const notice of first.ready.notices) tell(notice);
  if (first.ready.madeDatabase) {
    await stopProcess(first.child);
    first = await startProcess(settings, tell);
  }
  adopt(first);
  const socket = socketFetch(first.ready.socketPath);

  const ready = async (patienceMs = 5_000) => {
    const request = new Request(`http://backend${readyPath}`, { signal: AbortSignal.timeout(patienceMs) });
    const answer = current && (await socket.fetch(request).catch(() => null));
    return answer?.status === 204;
  };

  let waiting: ChildProcess | null = null;
  const looking = setInterval(async () => {
    const watched = child;
    if (!current || waiting === watched) return;
    waiting = watched;
    const answered = await ready(silenceMs);
    waiting = null;
    if (answered || !current || watched !== child) return;
    tell(`backend: no answer for ${silenceMs / 1_000} s; ending it`);
    watched.kill("SIGKILL");
  }, silenceMs / looksWithinPatience);
  looking.unref();

  return {
    kind: "embedded",
    browserUrl: settings.siteUrl,
    publishableKey: first.ready.publishableKey,
    fetch: async (request, peerAddress = "unknown") => {
      if (!current) await Promise.race([recovery, pause(arrivalPatienceMs, undefined, { ref: false })]);
      if (!current) return unavailable();
      return socket.fetch(request, { [peerHeader]: peerAddress }).catch((error: Error) => {
        if (request.signal.aborted) throw error;
        return unavailable();
      });
    },
    ready: () => ready(),
    stop: async () => {
      stopping = true;
      clearInterval(looking);
      await stopProcess(child);
      socket.close();
    },
  };
}
