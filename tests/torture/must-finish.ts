/**
 * Runs work that must come to its end. Where nothing is left that could answer, Node ends in silence; a run that ends before its
 * work is done has failed, whatever ended it.
 */
export async function mustFinish(name: string, work: () => Promise<void>): Promise<void> {
  let finished = false;
  process.on("exit", (code) => {
    if (finished) return;
    console.error(`${name} ended before its last line (${code})`);
    process.exitCode = code === 0 ? 1 : code;
  });
  try {
    await work();
    finished = true;
  } catch (error) {
    // Thrown on, it would pass for a lost connection (see lost-connections.ts) where its code is one of those.
    console.error(error);
    process.exit(1);
  }
}
