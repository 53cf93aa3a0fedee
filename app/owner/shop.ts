/**
 * The owner's file: everything about the shop that its owner may want to change, and nothing else.
 * Pages, emails and link previews take their texts from here; the about page's longer texts are in story.ts.
 */
import type { DeliveryFee } from "#app/lib/delivery.ts";
import type { SearchOrder } from "#app/lib/search-text.ts";

/** Marketing figures of the home, about and guidance pages. */
const figures = {
  years: "10+",
  yearsInWords: "over 10 years",
  publishers: "6",
  regions: "16",
  institutions: "500+",
  guidedInstitutions: "100+",
  resources: "10K+",
  satisfaction: "98%",
  schofieldResources: "over 400",
} as const;

export const shop = {
  name: "Adwene Books",
  tagline: "School books and stationery for every classroom in Ghana",
  description:
    "School textbooks, workbooks, practice papers, teacher guides and stationery for schools, teachers, parents and students in Ghana. Cambridge international and IB curricula, from early years to A level.",

  address: ["14 Ring Road Central", "Accra", "Ghana"],
  /** Shown as written; `tel` is what a phone dials. */
  phones: [
    { shown: "+233 30 200 0140", tel: "+233302000140" },
    { shown: "+233 20 000 0140", tel: "+233200000140" },
  ],
  /** International number without plus or spaces, as wa.me expects it. */
  whatsApp: "233200000140",
  email: "hello@adwenebooks.example",
  social: {
    facebook: "https://www.facebook.com/adwenebooks",
    instagram: "https://www.instagram.com/adwenebooks",
  },
  openingHours: ["Mon-Fri 8:30 AM-5:00 PM", "Sat 9:00 AM-3:00 PM"],

  figures,

  /** The shop's price filter, in cedis: under the first, from it to the second, and so on. From smallest to largest. */
  priceSteps: [50, 100, 200, 400],

  /** How the books of a search are sorted until a visitor chooses: "title", or "best" for the best match first. */
  searchOrder: "title" as SearchOrder,

  /** How an order reaches the customer: on the home page, at checkout and on the order's page. */
  delivery: {
    /** The end of the home page's introduction. */
    promise: "Priced in cedis, delivered free.",
    /** One of the reasons on the home page. */
    title: "Delivered free, everywhere",
    reason:
      "From Accra to Bolgatanga, delivery costs nothing, whether you order one workbook or two hundred.",
    /**
     * What delivery costs, in cedis. An order pays the fee of the first line that fits it; none: it is free. Orders that are
     * collected at the shop are always free. If any line names regions, customers must choose theirs before they order.
     * Change the texts above and below along with it. Example:
     *   { regions: ["Greater Accra"], below: 300, fee: 20 },   to Greater Accra, if the books cost less than GH₵300
     *   { regions: ["Greater Accra"], fee: 0 },                to Greater Accra otherwise
     *   { fee: 45 },                                           everywhere else
     */
    fees: [] as readonly DeliveryFee[],
    terms: "Delivery is free across Ghana: one to two working days in Accra and Tema, two to five elsewhere.",
  },

  /** Shown at checkout, and with an order until it has been delivered. */
  payment:
    "You don't pay on this page. We'll call or message you on the day we receive the order to agree payment: mobile money, bank transfer or cash on delivery.",
} as const;
