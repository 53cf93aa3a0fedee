/** Valid and invalid email addresses, phone numbers and digital addresses: the tests check both the app and the database against them. */
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

export const phones = {
  valid: [
    "0244123456",
    "024 412 3456",
    "+233 24 412 3456",
    "+233 (0)24-412.3456",
    "030/2001400",
    "112233",
    "123456789012345",
  ],
  invalid: [
    "",
    "xyz",
    "12345",
    "call me",
    "024 412 3456 ext 7",
    "1234567890123456",
    "233+244123456",
    "+",
    "024 412 3456, 020 111 2233",
  ],
} as const;

export const digitalAddresses = {
  valid: [
    ["GA-183-8164", "GA-183-8164"],
    ["ga 183 8164", "GA-183-8164"],
    ["Ak-039-5028", "AK-039-5028"],
    ["E3.0123.4567", "E3-0123-4567"],
    ["w2-00017-0204", "W2-00017-0204"],
  ],
  invalid: ["GA-183-816", "GA-12-8164", "1A-183-8164", "GAA-183-8164", "12 Ring Road", "GA-183456-8164"],
} as const;
