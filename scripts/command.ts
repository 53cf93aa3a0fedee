import { isBackendFailure } from "#app/lib/backend/failure-message.ts";

/** Why a command failed: one line, without a stack trace. */
export class CommandError extends Error {
  override name = "CommandError";
}

/**
 * Runs a command: reads settings from the environment and a file .env, and reports a failure as one line with exit
 * code 1. With --help it only prints its usage.
 * @param work gets the arguments after the command's name
 */
export async function runCommand(usage: string, work: (words: string[]) => Promise<void>): Promise<void> {
  const words = process.argv.slice(2);
  if (words.includes("--help") || words.includes("-h")) return console.log(usage);
  try {
    process.loadEnvFile();
  } catch {
    // Without a file named .env all settings have their defaults.
  }
  try {
    await work(words);
  } catch (error) {
    const reason = reasonOf(error);
    // Appends hints to a database's message.
    console.error(reason === usage ? usage : reason.split("\n")[0]);
    process.exitCode = 1;
  }
}

/** The owner is shown the database's own message. */
function reasonOf(error: unknown): string {
  const reason = isBackendFailure(error) ? error.cause : error;
  return reason instanceof Object && "message" in reason ? String(reason.message) : String(error);
}
