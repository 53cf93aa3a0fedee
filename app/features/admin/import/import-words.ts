/** '1 row', '10,000 rows'. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en-GB")} ${noun}${count === 1 ? "" : "s"}`;
}

export function isAre(count: number): string {
  return count === 1 ? "is" : "are";
}
