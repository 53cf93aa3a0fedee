/**
 * What the shop says of itself before its owner has changed a setting in the back office. Each value is the first value of the
 * setting of its name (settings.ts). A shop that was opened without the demo starts with those of own-shop.ts instead.
 */
import type { DeliveryFee } from "#shared/orders/delivery.ts";

export const shop = {
  name: "Adwene Books",
  tagline: "School books and stationery for every classroom in Ghana",
  description:
    "School textbooks, workbooks, practice papers, teacher guides and stationery for schools, teachers, parents and students in Ghana. Cambridge international and IB curricula, from early years to A level.",

  legalName: "",
  registrationNumber: "",
  taxNumber: "",

  address: ["14 Ring Road Central", "Accra", "Ghana"] as readonly string[],
  mapLink: "",
  phones: ["+233 30 200 0140", "+233 20 000 0140"] as readonly string[],
  whatsApp: "+233 20 000 0140",
  email: "hello@adwenebooks.example",
  replyPromise: "We'll get back to you within 24 hours",
  openingHours: ["Mon-Fri 8:30 AM-5:00 PM", "Sat 9:00 AM-3:00 PM"] as readonly string[],
  facebook: "https://www.facebook.com/adwenebooks",
  instagram: "https://www.instagram.com/adwenebooks",

  headline: "The right books on every desk",
  headlineEnd: "before the term begins",
  introduction:
    "Textbooks, workbooks, practice papers, teacher guides and stationery for schools, teachers and families in Ghana.",
  deliveryPromise: "Priced in cedis, delivered free.",
  publishersIntroduction:
    "The series your teachers already use, from the first phonics book to the last A level paper.",

  years: "10+",
  yearsInWords: "over 10 years",
  publishers: "6",
  regions: "16",
  institutions: "500+",
  guidedInstitutions: "100+",
  resources: "10K+",
  satisfaction: "98%",
  whyChoose: "A school needs forty copies of one book by Monday. That's what we're good at.",
  listsReason:
    "We have supplied classrooms for over 10 years. Send us your list, stage by stage: we know which edition your syllabus asks for.",
  parcelReason:
    "Cambridge and IB courses, workbooks, practice papers, readers and stationery arrive together, on one invoice.",
  deliveryTitle: "Delivered free, everywhere",
  deliveryReason:
    "From Accra to Bolgatanga, delivery costs nothing, whether you order one workbook or two hundred.",
  trustReason:
    "Schools, tutors and training centres order from us term after term, and call us when they are not sure.",

  deliveryFees: [] as readonly DeliveryFee[],
  deliveryTerms:
    "Delivery is free across Ghana: one to two working days in Accra and Tema, two to five elsewhere.",

  payment:
    "You don't pay when you order. We'll call or message you on the day we receive the order to agree payment: mobile money, bank transfer or cash on delivery.",
};
