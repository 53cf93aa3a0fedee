export const stockCardPath = ({ id }: { id: string }) => `/admin/stock?book=${id}`;
