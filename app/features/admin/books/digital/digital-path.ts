/** The page of a digital title's files and licence codes. */
export const digitalPath = ({ id }: { id: string }) => `/admin/books/digital?book=${id}`;
