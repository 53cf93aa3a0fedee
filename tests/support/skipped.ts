/** Says what this machine can't test, and why: the gate lists these lines at its end. */
export function sayWhatIsSkipped(what: string, problem: string | null | undefined): void {
  if (problem) console.warn(`SKIPPED: ${what}: ${problem}`);
}
