/** What a command says when it cannot do what was asked: one line, no stack. */
export class CommandError extends Error {
  override name = "CommandError";
}

/**
 * Runs a command: its settings from the environment and a file .env, its failure as one line and exit code 1.
 * @param work gets what stands after the command's name
 */
export async function runCommand(work: (words: string[]) => Promise<void>): Promise<void> {
  try {
    process.loadEnvFile();
  } catch {
    // Without a file named .env all settings have their defaults.
  }
  try {
    await work(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message.split("\n")[0] : String(error));
    process.exitCode = 1;
  }
}
