/** Letters typed further apart than this start a new search (spec section 9). */
export const TYPEAHEAD_RESET_MS = 1_000;

/**
 * Finds menu entries by the letters typed, as native menus do: letters in quick succession spell the start of a word,
 * the same letter again steps through the entries that start with it.
 */
export function createTypeahead() {
  let typed = "";
  let typedAt = Number.NEGATIVE_INFINITY;
  /** The index of the entry to focus, or -1. `at` is a time in milliseconds from any fixed origin. */
  return (letter: string, labels: string[], current: number, at: number): number => {
    typed = at - typedAt >= TYPEAHEAD_RESET_MS ? letter : typed + letter;
    typedAt = at;
    const repeated = [...typed].every((one) => one === letter);
    const prefix = (repeated ? letter : typed).toLocaleLowerCase("en");
    // A single letter searches after the current entry; a longer word may still match the current one.
    const from = repeated ? current + 1 : Math.max(current, 0);
    for (let step = 0; step < labels.length; step++) {
      const index = (from + step) % labels.length;
      if (labels[index]?.trim().toLocaleLowerCase("en").startsWith(prefix)) return index;
    }
    return -1;
  };
}
