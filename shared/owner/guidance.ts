/** The guidance page's texts, until the owner writes others. Reasons and steps have their title before the first colon. */
export const guidance = {
  guidanceHeadline: "Expert Resource Selection Guidance",
  guidanceIntroduction:
    "There are three coursebooks for every syllabus, and one that suits your class. Talk to someone who has taught with them before you order sixty copies.",
  guidanceReasons: [
    "We read what we sell: Our advisers know the books inside out: the level of the language, the pace of the exercises and what the teacher's guide really offers.",
    "Matched to your syllabus: Cambridge Primary to A Level, the IB programmes and the Ghanaian curriculum: we check the code and the edition, so that no class buys last year's book.",
    "Honest about money: We say what a class needs, what can be shared and what can wait. A shorter list is a good answer too.",
    "Beyond books: Counselling for learners and parents choosing subjects, and help for schools changing their curriculum.",
  ] as readonly string[],
  guidanceSteps: [
    "Needs Assessment: You tell us your stages, subjects, numbers and budget, by phone, by chat or when we visit your school.",
    "Resource Matching: You get a list to choose from: titles, editions, prices in cedis, and what each one is for.",
    "Ongoing Support: We deliver, stay in touch while the books are in use, and ask what worked before the next term.",
  ] as readonly string[],
  guidanceOffer: "The first conversation is free",
};
