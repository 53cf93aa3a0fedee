import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useRef } from "react";
import { showToast, type ToastAction } from "#app/components/toast.ts";
import { getBackend } from "#app/features/session/backend.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { lostResource } from "#app/lib/backend/lost-connection.ts";
import { noResponse } from "#app/lib/backend/response.ts";
import { isTemporary, isUnanswered } from "#app/lib/backend/retry-rule.ts";
import { staffMessage } from "#app/lib/backend/staff-message.ts";
import { recheckAdminAccess } from "./admin-access.ts";

/** How often visible lists that others may change are refreshed. */
const REFRESH_MS = 30_000;
/** The same while several people work on one page. */
const REFRESH_OFTEN_MS = 4_000;

/** The back office's query cache; created for each visit, so that no data outlives the access to it. */
export function createAdminQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: recheckAdminAccess }),
    mutationCache: new MutationCache({ onError: recheckAdminAccess }),
    defaultOptions: {
      queries: { retry: retryOnce, retryDelay: 500, staleTime: 2_000, networkMode: "always" },
      mutations: { networkMode: "always" },
    },
  });
}

function retryOnce(failures: number, error: Error): boolean {
  return failures < 1 && isTemporary(error);
}

type AdminQueryOptions = {
  /** Refetches every 30 s while the page is visible, or every 4 s. */
  refreshing?: boolean | "often";
  /** Shows the previous key's data until the new response arrives: for the pages of a list. */
  keepPrevious?: boolean;
  enabled?: boolean;
  /** Never served from the cache. */
  fresh?: boolean;
};

/** The first part of the key names the list: users, books, orders, reviews, … */
export function useAdminQuery<Result>(
  key: readonly [string, ...unknown[]],
  read: (client: BackendClient) => Promise<Result>,
  { refreshing = false, keepPrevious = false, enabled = true, fresh = false }: AdminQueryOptions = {},
) {
  return useQuery({
    queryKey: key,
    queryFn: async () => read(await loadBackend()),
    placeholderData: keepPrevious ? keepPreviousData : undefined,
    refetchInterval: refreshing === "often" ? REFRESH_OFTEN_MS : refreshing && REFRESH_MS,
    enabled,
    ...(fresh && { staleTime: 0, gcTime: 0 }),
  });
}

/** The failed state of a table: the message, with the list's noun, and the retry. */
export function readFailure(noun: string, query: { error: Error | null; refetch: () => unknown }) {
  if (!query.error) return null;
  const message = staffMessage(query.error) ?? `Failed to fetch ${noun}`;
  return { message: `Failed to load ${noun}: ${message}`, onTryAgain: () => void query.refetch() };
}

type Message = { title: string; description?: string; action?: ToastAction };

type AdminMutation<Input, Result> = {
  run: (client: BackendClient, input: Input) => Promise<Result>;
  /** Null when the result is shown elsewhere. */
  success: (result: Result, input: Input) => Message | null;
  /** The spec's message; the server's message is shown below it. */
  failure: string;
  /** Appends the server's message after a colon instead. */
  failureWithReason?: boolean;
  /** Replaces the server's message. */
  reasonOf?: (error: unknown) => string | null;
  /** Whether the page itself says what is wrong: no toast says it too. */
  isShown?: (error: unknown) => boolean;
  onSuccess?: (result: Result, input: Input) => void;
  onError?: (error: unknown) => void;
  /** No timeout: it works in steps or on many rows. */
  long?: boolean;
};

/** A silently lost connection can block a request for minutes; an admin needs to know sooner. */
const TIMEOUT_MS = 15_000;

/** @throws BackendFailure when the connection was lost before the client's code was downloaded */
async function loadBackend(): Promise<BackendClient> {
  try {
    return await getBackend();
  } catch (error) {
    throw lostResource(error) ? noResponse() : error;
  }
}

async function withTimeout<Result>(work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(noResponse()), TIMEOUT_MS);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/**
 * Runs a change, shows the result in a toast and refetches all back-office lists. It stays pending until they are
 * refetched, so that no one acts on outdated rows. `mutate` with the same input does nothing until the response has come.
 */
export function useAdminMutation<Input, Result>({
  run,
  success,
  failure,
  failureWithReason = false,
  reasonOf = staffMessage,
  isShown,
  onSuccess,
  onError,
  long = false,
}: AdminMutation<Input, Result>) {
  const queries = useQueryClient();
  const pending = useRef<Input[]>([]);
  const mutation = useMutation({
    mutationFn: (input: Input) => {
      const work = loadBackend().then((backend) => run(backend, input));
      return long ? work : withTimeout(work);
    },
    onSuccess: (result, input) => {
      const message = success(result, input);
      if (message) showToast("success", message.title, message);
      onSuccess?.(result, input);
    },
    onError: (error) => {
      logFailure(failure, error);
      onError?.(error);
      if (isShown?.(error)) return;
      const reason = reasonOf(error);
      if (reason === null) showToast("error", failure);
      else if (failureWithReason) showToast("error", `${failure}: ${reason}`);
      else showToast("error", failure, { description: reason });
    },
    // Without a connection the lists cannot be refetched either: do not wait for them.
    onSettled: (_, error, settled) => {
      pending.current = pending.current.filter((input) => input !== settled);
      // Lists that are being fetched were requested before the change: request them again.
      const read = queries.cancelQueries().then(() => queries.invalidateQueries());
      return isUnanswered(error) ? undefined : read;
    },
  });
  const mutate: typeof mutation.mutate = (...call) => {
    const input = call[0] as Input;
    // The second of two clicks would find the work done, and its message would cover the first one's.
    if (pending.current.some((one) => isSame(one, input))) return;
    pending.current.push(input);
    mutation.mutate(...call);
  };
  return { ...mutation, mutate };
}

/** Also of two lists or objects made anew of the same values. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  const [entries, others] = [Object.entries(one), new Map(Object.entries(other))];
  const isPlain = [one, other].every(
    (each) => Array.isArray(each) || Object.getPrototypeOf(each) === Object.prototype,
  );
  return (
    isPlain &&
    entries.length === others.size &&
    entries.every(([key, value]) => others.has(key) && Object.is(value, others.get(key)))
  );
}
