export const ROLES = ["user", "moderator", "admin"] as const;

export type Role = (typeof ROLES)[number];

/** A stored role as one of the three; a person without an entry is a user. */
export function readRole(value: unknown): Role {
  return ROLES.find((role) => role === value) ?? "user";
}
