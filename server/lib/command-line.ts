import { parseArgs } from "node:util";
import { StartError } from "./start-error.ts";

/**
 * The environment, overridden by the command line's options: `--workers 2`.
 * @throws StartError with one line when npm took the option for itself, or `--dev` is given several workers
 */
export function withOptions(env: NodeJS.ProcessEnv, args: string[]): NodeJS.ProcessEnv {
  const { values } = parseArgs({ args, options: { workers: { type: "string" } }, strict: false });
  if (env.npm_config_workers && values.workers === undefined)
    throw new StartError("npm took --workers as its own option. Write npm start -- --workers 2");
  const workers = values.workers === undefined ? env.WORKERS : String(values.workers);
  if (args.includes("--dev") && workers && workers !== "1")
    throw new StartError("npm run dev uses one web process: leave out WORKERS and --workers");
  return workers === undefined ? env : { ...env, WORKERS: workers };
}
