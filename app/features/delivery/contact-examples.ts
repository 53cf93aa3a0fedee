/** Valid and invalid email addresses: the tests check both the app and the database against them. */
export const emails = {
  valid: [
    "esi@school.example",
    "office+books@bright-future.edu.gh",
    "Ama.Owusu@mail.school.com.gh",
    "o'brien@école.example",
  ],
  invalid: [
    "",
    "abc",
    "esi@",
    "@school.example",
    "esi@school",
    "esi@school.example.",
    "esi@school..example",
    "esi owusu@school.example",
    "esi@school.example, ama@school.example",
    "<esi@school.example>",
    "esi(office)@school.example",
    '"esi"@school.example',
    "esi@@school.example",
  ],
} as const;
