/** 'K7PXM-3Q9TB': in two halves, which are easier to read out and to type. */
export function formatBooklistCode(code: string): string {
  return `${code.slice(0, 5)}-${code.slice(5)}`;
}

/** '/lists/K7PXM-3Q9TB' */
export function booklistAddress(code: string): string {
  return `/lists/${formatBooklistCode(code)}`;
}
