/** A call of the backend that did not do what was asked. Its message is fit to be logged, not to be shown. */
export class BackendFailure extends Error {
  override name = "BackendFailure";
  /** HTTP status; 0 when there was no answer at all. */
  readonly status: number;
  /** The stable code of one of the shop's own refusals, else the database's code, else empty. */
  readonly code: string;
  /** What a refusal says besides its code. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** One sentence for people, or null when the server's words are not meant for them. */
  readonly sentence: string | null;

  constructor(error: BackendError, status: number) {
    const facts = readFacts(error);
    const code = typeof facts.code === "string" ? facts.code : (error.code ?? "");
    super(`${status} ${code || "no code"}`);
    this.status = status;
    this.code = code;
    this.facts = facts;
    this.sentence = sentenceFor(error, status);
  }
}

type BackendError = { code?: string; message?: string; details?: string | null };
type Answer<T> = { data: T; error: BackendError | null; status: number };

/** Own refusals of the database carry such a code; their message is a sentence for people. */
const OWN_REFUSAL = /^PT4\d\d$/;

/** Said when no answer came at all. */
export const UNREACHABLE = "The shop cannot be reached. Check your connection and try again.";

/**
 * The data of an answer.
 * @throws BackendFailure
 */
export function unwrap<T>({ data, error, status }: Answer<T>): NonNullable<T> {
  if (error) throw new BackendFailure(error, status);
  if (data === null || data === undefined) throw new BackendFailure({ code: "no_data" }, status);
  return data;
}

/**
 * Makes sure that a write touched at least one row: what row level security hides is no error for the database.
 * @throws BackendFailure with the code `no_row`
 */
export function unwrapWritten<Row>(answer: Answer<Row[] | null>): Row {
  const [row] = unwrap(answer);
  if (row === undefined) throw new BackendFailure({ code: "no_row" }, answer.status);
  return row;
}

function readFacts({ code, details }: BackendError): Record<string, unknown> {
  if (!OWN_REFUSAL.test(code ?? "") || !details) return {};
  try {
    const facts: unknown = JSON.parse(details);
    return typeof facts === "object" && facts !== null ? { ...facts } : {};
  } catch {
    return {};
  }
}

function sentenceFor({ code, message }: BackendError, status: number): string | null {
  if (OWN_REFUSAL.test(code ?? "") && message) return message;
  if (status === 0) return UNREACHABLE;
  if (status === 401) return "You have been signed out. Sign in and try again.";
  if (status === 403 || code === "42501") return "You are not allowed to do this any more.";
  // What no column of numbers holds is refused before any check of ours.
  if (code === "22003") return "A number is too large to be saved.";
  if (status === 413) return "This is too large to be saved.";
  if (status === 429) return "Too many requests at once. Wait a minute and try again.";
  return null;
}

/** The words for people of whatever was thrown, or null when there are none. */
export function sentenceOf(error: unknown): string | null {
  return error instanceof BackendFailure ? error.sentence : null;
}

/** One line for the console: what failed, without anything that was sent or answered. */
export function logFailure(what: string, error: unknown): void {
  const cause = error instanceof Error ? `${error.name}: ${error.message}` : "unknown cause";
  console.error(`${what} (${cause})`);
}
