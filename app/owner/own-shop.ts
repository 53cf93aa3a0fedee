import type { Shop } from "./settings.ts";

/**
 * What a shop that is opened without the demo starts with in place of the demo's words: nothing that only its owner can know or
 * claim. `npm start` and `npm run migrate` write it into a new database as the settings' values.
 */
export const ownShop = {
  name: "Our Bookshop",
  tagline: "School books and stationery",
  description: "School books and stationery in Ghana.",
  address: [],
  phones: [],
  whatsApp: "",
  email: "",
  openingHours: [],
  facebook: "",
  instagram: "",
  headline: "School books and stationery",
  headlineEnd: "",
  introduction: "",
  deliveryPromise: "",
  years: "",
  yearsInWords: "",
  publishers: "",
  regions: "",
  institutions: "",
  guidedInstitutions: "",
  resources: "",
  satisfaction: "",
  whyChoose: "",
  listsReason: "",
  parcelReason: "",
  deliveryTitle: "",
  deliveryReason: "",
  trustReason: "",
  deliveryTerms: "",
  payment: "We'll call or message you after you order to agree how you pay and receive it.",
  storyIntroduction: "",
  story: [],
  mission: "",
  vision: "",
  howToPay: "Please give the order number, {order}.",
  quotePayment: "We'll call or message you on the day you accept to agree how and when you pay.",
} satisfies Partial<Shop>;
