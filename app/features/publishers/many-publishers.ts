const words = "One,Two,Three,Four,Five,Six,Seven,Eight,Nine,Ten,Eleven,Twelve".split(",");

/** 'Six publishers', 'One publisher', '13 publishers'. */
export function manyPublishers(count: number): string {
  return `${words[count - 1] ?? count} publisher${count === 1 ? "" : "s"}`;
}
