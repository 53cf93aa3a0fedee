import { DUTIES, type Duty } from "#app/features/session/duties.ts";

/**
 * Who asks, in the order of the matrix's columns: a visitor, a customer about their own rows, another customer, a moderator
 * and an admin about that customer's rows, and the secret key.
 */
export const people = ["visitor", "customer", "stranger", "moderator", "admin", "key"] as const;

export type PersonName = (typeof people)[number];

/** One of them, a customer to whom an attempt gives duties, or one who has the duty orders. */
export type CallerName = PersonName | "holder" | "packer";

/** The database role in which each person's requests run. */
export const roleOf: Record<CallerName, "anon" | "authenticated" | "service_role"> = {
  visitor: "anon",
  customer: "authenticated",
  stranger: "authenticated",
  moderator: "authenticated",
  admin: "authenticated",
  holder: "authenticated",
  packer: "authenticated",
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

/** The sets of duties of which each alone is enough for what an admin gets; without any, only an admin gets it. */
export type Needed = readonly (readonly Duty[])[];

/** "orders", "orders+deletions" (both), "people|orders" (either), "any" (whichever) or "admin" (no duty is enough). */
export function readNeeded(text: string): Needed {
  if (text === "admin") return [];
  if (text === "any") return DUTIES.map((duty) => [duty]);
  return text.split("|").map((all) =>
    all.split("+").map((word) => {
      const duty = DUTIES.find((each) => each === word);
      if (!duty) throw new Error(`No duty: ${word}`);
      return duty;
    }),
  );
}

const isEnough = (needed: Needed, duties: readonly Duty[]) =>
  needed.some((all) => all.every((duty) => duties.includes(duty)));

/** What a line says about people with duties must be what it says about moderators, who have one, and about admins. */
export function checkNeeded(about: string, answers: Answers, needed: Needed): void {
  const { stranger, moderator, admin } = answers;
  if (needed.length > 0 && admin === stranger) throw new Error(`Needs no duty: ${about}`);
  if (moderator !== (isEnough(needed, ["reviews"]) ? admin : stranger))
    throw new Error(`A moderator has the duty reviews: ${about}`);
}

/** Sets of duties, each with the answer: every set that is just enough, and the largest ones that are not. */
export function dutyAttempts({ stranger, admin }: Answers, needed: Needed): [readonly Duty[], Answer][] {
  const lacking = needed.reduce<readonly (readonly Duty[])[]>(
    (sets, all) => sets.flatMap((set) => all.map((duty) => set.filter((each) => each !== duty))),
    [DUTIES],
  );
  return [
    ...needed.map((all): [readonly Duty[], Answer] => [all, admin]),
    ...lacking.map((set): [readonly Duty[], Answer] => [set, stranger]),
  ];
}
