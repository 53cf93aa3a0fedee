import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

/** What a reader of ISBNs, phone numbers or digital addresses does to a text: it keeps the digits, or knows the hyphens or the prefix. */
const readers = [
  /\/\\D\+?\/g|\[\^\+?\\d\+?\]|\[\^0-9(?:A-Za?-?z?Z?)?\+?\]|\[\^\+0-9\]/,
  /\[\[:space:\]-\]|\[\\s-\]|\[ -\]\//,
  /97\[89\]/,
  /\\p\{Pd\}|\\u2011|\\u2010-/,
];

/** Where that is written, once each, and what is no such code. */
const known: Readonly<Record<string, string>> = {
  "shared/text/plain-code.ts": "hyphens and invisible marks, for all three",
  "app/features/books/isbn.ts": "ISBNs",
  "shared/text/phone.ts": "phone numbers",
  "app/features/delivery/digital-address.ts": "digital addresses",
  "supabase/schema/1-ground/04-text.sql": "private.plain_code, and the pattern that finds a phone number",
  "supabase/schema/1-ground/05-isbn.sql": "ISBNs",
  "supabase/schema/2-people/1-contacts.sql": "phone numbers",
  "supabase/schema/2-people/2-addresses.sql": "digital addresses",
  "app/office/catalogue/book-import/book-import-cells.ts": "what a spreadsheet has made of an ISBN",
  "supabase/schema/3-books/12-near-books.sql": "the ISBN within a longer text, which isbn_key reads",
  "supabase/schema/5-money/7-statements.sql": "the phone numbers within a line of a bank's statement",
  "shared/owner/contradictions.ts": "the phone numbers and figures within a sentence",
  "app/features/site/contact-links.ts":
    "the shop's own numbers, which are stored in one form, as an address to dial",
  "scripts/anonymise.ts": "how long a number is, for a message",
  "supabase/schema/9-reports/3-demand.sql": "an ISBN that may be counted because it is no phone number",
};

/** Generated columns hold the digits of a number that is stored in its one form, or as an older row has it. */
const stored =
  /\(regexp_replace\((?:recipient_|contact_)?phone, '\[\^0-9\]', '', 'g'\), (?:''\)|9\)\)+ stored)/;

it("reads ISBNs, phone numbers and digital addresses in one place each, for every screen and function", () => {
  const found = globSync(["{app,server,shared,scripts}/**/*.{ts,tsx}", "supabase/schema/**/*.sql"], {
    cwd: root,
  })
    .filter((path) => !/\.test\.tsx?$/.test(path) && !(path in known))
    .flatMap((path) =>
      readFileSync(join(root, path), "utf8")
        .split("\n")
        .flatMap((line, at) =>
          readers.some((reader) => reader.test(line)) && !stored.test(line)
            ? [`${path}:${at + 1}: ${line.trim().slice(0, 140)}`]
            : [],
        ),
    );
  expect(found).toEqual([]);
});
