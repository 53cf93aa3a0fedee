/** The page of a digital title's files and licence codes. */
export const digitalPath = ({ id }: { id: string }) => `/admin/books/digital?book=${id}`;

export const stockCardPath = ({ id }: { id: string }) => `/admin/stock?book=${id}`;

/** The page that prints labels for a receipt, a book, or a search and a publisher. */
export const labelsPath = (query: Record<string, string>): string =>
  `/admin/stock/labels?${new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ""))}`;

/** The list of receipts with this one alone. */
export const receiptPath = (id: string) => `/admin/receiving?receipt=${id}`;
