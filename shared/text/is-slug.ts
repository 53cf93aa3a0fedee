/** Whether part of a URL can be a slug. Others are not looked up: a NUL character would look like a failed query. */
export const isSlug = (text: string) => /^[a-z0-9-]{1,80}$/.test(text);
