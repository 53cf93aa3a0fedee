import type { Shop } from "#shared/owner/settings.ts";

/** The owner's words that only the home page shows. */
export const homeWords = (shop: Shop) => ({
  headline: shop.headline,
  headlineEnd: shop.headlineEnd,
  introduction: shop.introduction,
  deliveryPromise: shop.deliveryPromise,
  publishersIntroduction: shop.publishersIntroduction,
  whyChoose: shop.whyChoose,
  reasons: reasonsOf(shop),
});

export type HomeWords = ReturnType<typeof homeWords>;

/** The owner's reasons, without those that are turned off. */
const reasonsOf = (shop: Shop) =>
  [
    { figure: shop.years, unit: "years", title: "We know the book lists", text: shop.listsReason },
    {
      figure: shop.publishers,
      unit: "publishers",
      title: "Everything in one parcel",
      text: shop.parcelReason,
    },
    { figure: shop.regions, unit: "regions", title: shop.deliveryTitle, text: shop.deliveryReason },
    { figure: shop.institutions, unit: "institutions", title: "Trusted by schools", text: shop.trustReason },
  ].filter(({ text }) => text);
