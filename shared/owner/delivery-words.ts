const aboutDelivery = /\b(deliver\w*|shipp\w*|postage|parcels?)\b/i;
const free =
  /\bfree(ly)?\b|\bcosts? nothing\b|\bat no (extra )?(cost|charge)\b|\bno (delivery )?(fees?|charges?)\b/i;
const amount = /(GH₵|GHS|₵)\s?\d|\d\s?(cedis|GHS)\b/i;

export const sentencesOf = (text: string): string[] => text.split(/(?<=[.!?])\s+|\n+/).filter(Boolean);

export const saysDeliveryIsFree = (sentence: string): boolean =>
  aboutDelivery.test(sentence) && free.test(sentence) && !/\bcollect/i.test(sentence);

export const saysDeliveryCosts = (sentence: string): boolean =>
  aboutDelivery.test(sentence) && amount.test(sentence);

/**
 * A text of the shop as a document prints it, whose own line says what delivery costs: without the sentences that name
 * an amount, and without those that promise free delivery where it isn't.
 */
export function besideDeliveryLine(text: string, isFree: boolean): string {
  const stays = (sentence: string) =>
    !saysDeliveryCosts(sentence) && (isFree || !saysDeliveryIsFree(sentence));
  return text
    .split("\n")
    .flatMap((line) => {
      const sentences = sentencesOf(line);
      const left = sentences.filter(stays);
      if (left.length === sentences.length) return [line];
      return left.length > 0 ? [left.join(" ")] : [];
    })
    .join("\n");
}
