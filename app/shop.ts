/**
 * The owner's file: everything about the shop that its owner may want to change, and nothing else.
 * Pages, mails and link previews read their words from here.
 */
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
  /** International number without plus or spaces, as wa.me wants it. */
  whatsApp: "233200000140",
  email: "hello@adwenebooks.example",
  social: {
    facebook: "https://www.facebook.com/adwenebooks",
    instagram: "https://www.instagram.com/adwenebooks",
  },
  openingHours: ["Mon-Fri 8:30 AM-5:00 PM", "Sat 9:00 AM-3:00 PM"],

  /** Marketing figures of the home, about and guidance pages. */
  figures: {
    years: "10+",
    yearsInWords: "over 10 years",
    publishers: "6",
    regions: "16",
    institutions: "500+",
    guidedInstitutions: "100+",
    resources: "10K+",
    satisfaction: "98%",
    schofieldResources: "over 400",
  },

  /** Shown at checkout and on the confirmation page. */
  howYouPayAndReceive: [
    "You pay nothing on this page. We ring or write to you on the day we receive the order to agree payment: mobile money, bank transfer or cash on delivery.",
    "Delivery is free across Ghana: one to two working days in Accra and Tema, two to five elsewhere.",
    "Until the books have been delivered you can cancel the order on its page.",
  ],
} as const;
