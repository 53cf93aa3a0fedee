import { DUTIES } from "#app/features/session/duties.ts";
import { cases } from "./cases.ts";
import {
  buckets,
  bucketTables,
  privateFunctions,
  publicFunctions,
  type TableRights,
  tables,
} from "./matrix.ts";
import { type Answers, type Needed, people } from "./people.ts";

const heads = ["Visitor", "Customer, own", "Customer, another's", "Moderator", "Admin", "Secret key", "Duty"];

const words: Record<string, string> = { yes: "yes", none: "–", no: "no", policy: "no (row)" };

const cells = (answers: Answers, needed: Needed) => [
  ...people.map((person) => words[answers[person]] ?? `no (${answers[person]})`),
  dutiesOf(answers, needed),
];

/** The duties with which others get the admin's answer; nothing where that is everybody's. */
function dutiesOf({ stranger, admin }: Answers, needed: Needed): string {
  if (needed.length === 0) return stranger === admin ? "" : "none";
  if (needed.length === DUTIES.length) return "any";
  return needed.map((all) => all.join(" and ")).join("; ");
}

/** A table as the formatter aligns it; the first line is its head. */
function printTable(lines: string[][]): string {
  const widths = (lines[0] ?? []).map((_, index) =>
    Math.max(3, ...lines.map((line) => line[index]?.length ?? 0)),
  );
  const row = (entries: string[]) =>
    `| ${entries.map((entry, index) => entry.padEnd(widths[index] ?? 0)).join(" | ")} |`;
  const [head = [], ...rest] = lines;
  return [row(head), row(widths.map((width) => "-".repeat(width))), ...rest.map(row)].join("\n");
}

function tableSection(table: TableRights): string {
  const lines = table.rights.map(({ operation, columns, answers, needed }) => {
    const others = table.rights.some((other) => other.operation === operation && other.columns !== "*");
    const rest = others ? " any other column" : " any column";
    const named = columns === "*" ? rest : columns ? ` ${columns.join(", ")}` : "";
    return [operation + named, ...cells(answers, needed)];
  });
  return `### ${table.name}\n\n${printTable([[`where ${table.row}`, ...heads], ...lines])}`;
}

/** The page that `npm run rights` writes. */
export function printRights(): string {
  const functions = publicFunctions.map(({ call, answers, needed }) => [
    `\`${call}\``,
    ...cells(answers, needed),
  ]);
  const files = buckets.map(
    ({ id, settings }) =>
      `Bucket \`${id}\`: ${settings.public ? "everyone can read its files by URL" : "closed"}, at most ${settings.file_size_limit} bytes per file, ${settings.allowed_mime_types.join(", ")} only.`,
  );
  // Constraints refuse with an SQLSTATE: they are the backstop, and named as such below the table.
  const proofs = cases
    .filter(({ answer }) => !/^\d{5}$/.test(answer))
    .map(({ proves, title, as, answer }) => [proves, title, as, answer]);
  return `# Who may do what

Printed by \`npm run rights\` from \`tests/rights/matrix.ts\`. The tests check each of these against the database, in SQL and through the browser's client, and anything in the database that is not listed fails the gate.

**yes**: allowed. **–**: not refused, but no row is seen or changed. **no**: the right is not granted. **no (row)**: a policy
refuses the row. **no (word)**: refused with this stable code. "Own" and "another's" refer to the row named above each table;
moderator and admin are tested on a customer's row. Names with a colon are rows of the test data.

**Duty**: a person with this duty gets the admin's answer, and one with every other duty gets another customer's. "and": both
are needed; ";": either is enough; "any": every duty is enough; "none": only admins. Where nothing stands, everyone gets the same.

## Tables

${tables.map(tableSection).join("\n\n")}

## Functions

${printTable([["call", ...heads], ...functions])}

Functions of the schema \`private\` cannot be called through the API. Run inside policies, triggers and public functions:

- by everyone: ${privateFunctions.everybody.join(", ")}
- by signed-in people and the secret key: ${privateFunctions.signedInAndKey.join(", ")}
- only by the secret key: ${privateFunctions.key.join(", ")}
- by signed-in people: ${privateFunctions.signedIn.join(", ")}
- only by the database's owner: ${privateFunctions.nobody.join(", ")}

## Files

${files.join("\n")}

${bucketTables.map(tableSection).join("\n\n")}

## Triggers and second lines of defence

${printTable([["Enforced by", "What holds", "As", "Answer"], ...proofs])}

Each check, unique and foreign key is also tested by a row of \`tests/rights/cases\` that nothing else refuses.
`;
}
