import { type Case, refusedByConstraint, refusedByForeignKey } from "./case.ts";

export const importCases: Case[] = [
  ...refusedByConstraint([
    [
      "book_imports.book_imports_status_is_known",
      "23514",
      "update book_imports set status = 'lost' where id = :import",
    ],
    [
      "book_imports.book_imports_file_name_is_short",
      "23514",
      "update book_imports set file_name = repeat('x', 301) where id = :import",
    ],
    [
      "book_imports.book_imports_headings_are_few",
      "23514",
      "update book_imports set headings = to_jsonb(repeat('x', 50001)) where id = :import",
    ],
    [
      "book_imports.book_imports_fingerprint_is_short",
      "23514",
      "update book_imports set fingerprint = repeat('x', 101) where id = :import",
    ],
    [
      "book_imports.book_imports_source_is_short",
      "23514",
      "update book_imports set source = repeat('x', 201) where id = :import",
    ],
    [
      "book_imports.book_imports_conversion_is_short",
      "23514",
      "update book_imports set conversion = to_jsonb(repeat('x', 5001)) where id = :import",
    ],
    [
      "book_import_rows.book_import_rows_price_has_currency",
      "23514",
      "update book_import_rows set source_price = 5, source_currency = null where import_id = :import",
    ],
    [
      "book_import_rows.book_import_rows_currency_is_short",
      "23514",
      "update book_import_rows set source_price = 5, source_currency = 'pounds' where import_id = :import",
    ],
    [
      "book_import_rows.book_import_rows_action_is_known",
      "23514",
      "update book_import_rows set action = 'lose' where import_id = :import",
    ],
    [
      "book_import_rows.book_import_rows_kept_is_known",
      "23514",
      "update book_import_rows set kept = 'lost' where import_id = :import",
    ],
  ]),
  ...refusedByForeignKey([
    [
      "book_import_rows.book_import_rows_import_id_fkey",
      "update book_import_rows set import_id = gen_random_uuid() where import_id = :import",
    ],
  ]),
];
