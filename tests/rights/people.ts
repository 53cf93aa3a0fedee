/**
 * Who asks, in the order of the matrix's columns: a visitor, a customer about their own rows, another customer, a moderator
 * and an admin about that customer's rows, and the secret key.
 */
export const people = ["visitor", "customer", "stranger", "moderator", "admin", "key"] as const;

export type PersonName = (typeof people)[number];

/** The database role in which each person's requests run. */
export const roleOf: Record<PersonName, "anon" | "authenticated" | "service_role"> = {
  visitor: "anon",
  customer: "authenticated",
  stranger: "authenticated",
  moderator: "authenticated",
  admin: "authenticated",
  key: "service_role",
};

/**
 * What the database answers:
 * - yes: it does it; none: nothing is refused, and no row is touched or seen
 * - no: the right is not granted at all; policy: a policy refuses the row (both are 42501)
 * - anything else is the stable code of an own refusal (admin_only …) or an SQLSTATE
 */
export type Answer = string;

export type Answers = Record<PersonName, Answer>;

/** Six words, one for each person. */
export function readAnswers(words: string[]): Answers {
  if (words.length !== people.length) throw new Error(`Six answers are needed: ${words.join(" ")}`);
  return Object.fromEntries(people.map((person, index) => [person, words[index]])) as Answers;
}
