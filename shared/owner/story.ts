/** The about page's texts, until the owner writes others. Each paragraph is a line of the setting. */
export const story = {
  storyIntroduction: "We sell the books that feed the mind, to the schools, teachers and families of Ghana.",
  story: [
    "We began over 10 years ago, because terms began without books. A syllabus changed, an edition went out of print, a parcel stayed at the port, and a class shared six copies. We set out to end that, list by list and school by school.",
    "Today 500+ institutions order from us: international schools, private and mission schools, tutors and training centres. The work is still the same. Read the syllabus, know the edition, have it on the shelf, and bring it to the school gate.",
    "We also stock the stationery that classrooms get through, and we help teachers choose: the person who answers the phone has read the book.",
  ] as readonly string[],
  mission:
    "To put the right book into the hands of every learner in Ghana, on the day it is needed and at a price the school can plan for.",
  vision:
    "A country where no lesson waits for a book: where a classroom in Wa opens the same page on the same morning as one in Accra.",
};
