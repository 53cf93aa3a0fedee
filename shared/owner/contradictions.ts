import { phoneKey } from "#shared/text/phone.ts";
import { saysDeliveryCosts, saysDeliveryIsFree, sentencesOf } from "./delivery-words.ts";
import { type SettingName, type Shop, settings } from "./settings.ts";

/** A sentence in a text of the shop that contradicts a setting. */
export type Contradiction = {
  /** The text. */
  name: SettingName;
  /** The sentence, or the line, that is wrong. */
  sentence: string;
  /** The setting that decides. */
  decidedBy: SettingName;
  /** What it decides, as the end of 'but …'. */
  but: string;
};

type Rule = {
  decidedBy: SettingName;
  /** Returns what is true instead of a sentence; null if it doesn't contradict the setting. */
  find: (shop: Shop) => ((sentence: string) => string | null) | null;
};

const paysLater = /\b(don['’]t|do not|needn['’]t) pay\b.*\border|\bto agree (on )?(the )?payment\b/i;
const phone = /(?<![\d+])(?:\+?233|0)(?:[\s-]?\d){9}(?!\d)/g;

/** A figure such as '10+' decides every number that stands before its noun. */
const figure = (name: "years" | "publishers" | "regions" | "institutions", noun: RegExp): Rule => ({
  decidedBy: name,
  find: (shop) => {
    const digits = shop[name].replace(/\D/g, "");
    if (!digits) return null;
    return (sentence) => {
      const said = noun.exec(sentence)?.[1]?.replace(/\D/g, "");
      return said && said !== digits ? `${settings[name].label} says ${shop[name]}` : null;
    };
  },
});

const rules: readonly Rule[] = [
  {
    decidedBy: "deliveryFees",
    find: ({ deliveryFees }) =>
      deliveryFees.length > 0
        ? (sentence) => (saysDeliveryIsFree(sentence) ? "there are delivery fees" : null)
        : (sentence) => (saysDeliveryCosts(sentence) ? "no delivery fees are set" : null),
  },
  {
    decidedBy: "mobileMoneyNumber",
    find: ({ mobileMoneyNumber, phones, whatsApp }) => {
      if (!mobileMoneyNumber) return null;
      const known = [mobileMoneyNumber, ...phones, whatsApp].map(phoneKey);
      return (sentence) => {
        const isOther = (number: string) => !known.includes(phoneKey(number));
        if ((sentence.match(phone) ?? []).some(isOther)) return `mobile money goes to ${mobileMoneyNumber}`;
        return paysLater.test(sentence)
          ? `orders show what to pay to ${mobileMoneyNumber} as soon as they are placed`
          : null;
      };
    },
  },
  figure("years", /(\d[\d,]*)\+?\s+years\b/i),
  figure("publishers", /(\d[\d,]*)\+?\s+publishers\b/i),
  figure("regions", /(\d[\d,]*)\+?\s+regions\b/i),
  figure("institutions", /(\d[\d,]*)\+?\s+(?:schools|institutions)\b/i),
];

/** The free-text settings on pages, documents and emails. */
const texts = (Object.keys(settings) as SettingName[]).filter(
  (name) =>
    ["line", "text", "lines"].includes(settings[name].kind) &&
    settings[name].reader !== "staff" &&
    !rules.some(({ decidedBy }) => decidedBy === name),
);

/** The texts that the other settings contradict, in the order of the form. */
export function contradictions(shop: Shop): Contradiction[] {
  const found = rules.flatMap(({ decidedBy, find }) => {
    const butOf = find(shop);
    return butOf ? [{ decidedBy, butOf }] : [];
  });
  return texts.flatMap((name) =>
    [shop[name]].flat().flatMap((text) =>
      sentencesOf(String(text)).flatMap((sentence) =>
        found.flatMap(({ decidedBy, butOf }) => {
          const but = butOf(sentence);
          return but ? [{ name, sentence, decidedBy, but }] : [];
        }),
      ),
    ),
  );
}
