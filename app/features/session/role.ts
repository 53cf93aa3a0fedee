export const ROLES = ["user", "moderator", "admin"] as const;

export type Role = (typeof ROLES)[number];

/** A stored role as one of the three; without an entry it is `user`. */
export function readRole(value: unknown): Role {
  return ROLES.find((role) => role === value) ?? "user";
}
