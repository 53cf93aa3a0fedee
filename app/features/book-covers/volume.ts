/** A number or, as in 'Pupil Book 3A', a number and a letter. */
const NUMBER = String.raw`\d{1,2}[A-Z]?`;
const named = new RegExp(
  String.raw`\b(?:Book|Volume|Part|Stage|Step|Level|Year|Grade|Class|Basic|Primary|Form|JHS|SHS)\s+(${NUMBER})(?![\w+-])`,
  "i",
);
/** 'Pack of 12' is a quantity. */
const last = new RegExp(String.raw`(?<!\bof)\s(${NUMBER})$`, "i");

/** Which of its series a title is: '4' of 'Mental Arithmetic 4', '2' of 'Primary French Book 2 Pupil Book'; null for most. */
export function volumeOf(title: string): string | null {
  const text = title.trim();
  return (named.exec(text) ?? last.exec(text))?.[1]?.toUpperCase() ?? null;
}
