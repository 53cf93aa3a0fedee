import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { showToast, type ToastAction } from "#app/components/toast.ts";
import { getBackend } from "#app/features/session/session-store.ts";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { BackendFailure, logFailure, sentenceOf } from "#app/lib/backend-failure.ts";
import { recheckAdminAccess } from "./admin-access.ts";

/** Lists that others change refresh by themselves this often while they are looked at. */
export const REFRESH_MS = 30_000;

/** Keeps what the back office has read; made anew for each stay, so that nothing outlives the access to it. */
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

/** Only what may pass by itself is worth a second try. */
function retryOnce(failures: number, error: Error): boolean {
  const passing = error instanceof BackendFailure && (error.status === 0 || error.status >= 500);
  return failures < 1 && passing;
}

type AdminQueryOptions = {
  /** Asks again every 30 s while the page is visible. */
  refreshing?: boolean;
  /** Shows what was read for the last key until the new answer comes: for the pages of one list. */
  keepPrevious?: boolean;
  enabled?: boolean;
  /** Never answered from what was read before. */
  fresh?: boolean;
};

/** Reads for the back office. The first part of the key names the list: users, books, orders, reviews, … */
export function useAdminQuery<Result>(
  key: readonly [string, ...unknown[]],
  read: (client: BackendClient) => Promise<Result>,
  { refreshing = false, keepPrevious = false, enabled = true, fresh = false }: AdminQueryOptions = {},
) {
  return useQuery({
    queryKey: key,
    queryFn: async () => read(await getBackend()),
    placeholderData: keepPrevious ? keepPreviousData : undefined,
    refetchInterval: refreshing ? REFRESH_MS : false,
    enabled,
    ...(fresh && { staleTime: 0, gcTime: 0 }),
  });
}

/** What a table shows of a query that did not succeed, with the words of the list's noun. */
export function readFailure(noun: string, query: { error: Error | null; refetch: () => unknown }) {
  if (!query.error) return null;
  const message = sentenceOf(query.error) ?? `Failed to fetch ${noun}`;
  return { message: `Failed to load ${noun}: ${message}`, onTryAgain: () => void query.refetch() };
}

type Message = { title: string; description?: string; action?: ToastAction };

type AdminMutation<Input, Result> = {
  run: (client: BackendClient, input: Input) => Promise<Result>;
  /** Null when the result is told elsewhere. */
  success: (result: Result, input: Input) => Message | null;
  /** The stated words; the server's sentence for people stands under them. */
  failure: string;
  /** The server's sentence follows the stated words after a colon. */
  failureWithReason?: boolean;
  /** The reason in other words than the server's. */
  reasonOf?: (error: unknown) => string | null;
  onSuccess?: (result: Result, input: Input) => void;
};

/**
 * Changes something, says how it went, and has all lists of the back office read again. It is pending until they are: what
 * stood in them before is no ground for the next press.
 */
export function useAdminMutation<Input, Result>({
  run,
  success,
  failure,
  failureWithReason = false,
  reasonOf = sentenceOf,
  onSuccess,
}: AdminMutation<Input, Result>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input) => run(await getBackend(), input),
    onSuccess: (result, input) => {
      const message = success(result, input);
      if (message) showToast("success", message.title, message);
      onSuccess?.(result, input);
    },
    onError: (error) => {
      logFailure(failure, error);
      const reason = reasonOf(error);
      if (reason === null) showToast("error", failure);
      else if (failureWithReason) showToast("error", `${failure}: ${reason}`);
      else showToast("error", failure, { description: reason });
    },
    onSettled: () => queries.invalidateQueries(),
  });
}
