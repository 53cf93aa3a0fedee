import { accountCases } from "./cases/accounts.ts";
import { booklistCases } from "./cases/booklists.ts";
import { bookCases } from "./cases/books.ts";
import { cartCases } from "./cases/carts.ts";
import type { Case } from "./cases/case.ts";
import { consultationCases } from "./cases/consultations.ts";
import { countCases } from "./cases/counts.ts";
import { coverCases } from "./cases/covers.ts";
import { digitalCases } from "./cases/digital.ts";
import { dutyCases } from "./cases/duties.ts";
import { emailCases } from "./cases/emails.ts";
import { eventCases } from "./cases/events.ts";
import { importCases } from "./cases/imports.ts";
import { logCases } from "./cases/logs.ts";
import { orderCases } from "./cases/orders.ts";
import { paymentCases } from "./cases/payments.ts";
import { publisherCases } from "./cases/publishers.ts";
import { purchaseCases } from "./cases/purchases.ts";
import { quoteCases } from "./cases/quotes.ts";
import { reviewCases } from "./cases/reviews.ts";
import { secondStepCases } from "./cases/second-step.ts";
import { settingCases } from "./cases/settings.ts";

/** What the matrix's plain questions cannot show, by noun. */
export const cases: Case[] = [
  ...accountCases,
  ...dutyCases,
  ...secondStepCases,
  ...bookCases,
  ...publisherCases,
  ...reviewCases,
  ...cartCases,
  ...orderCases,
  ...emailCases,
  ...eventCases,
  ...paymentCases,
  ...importCases,
  ...booklistCases,
  ...quoteCases,
  ...consultationCases,
  ...purchaseCases,
  ...coverCases,
  ...digitalCases,
  ...countCases,
  ...logCases,
  ...settingCases,
];
