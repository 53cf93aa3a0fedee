/** A book as a supplier's list has it; prices are in cedis. */
export type SchoolBook = {
  /** 13 digits with a valid check digit; "" for about one book in 15, as local prints have none. */
  isbn: string;
  title: string;
  authors: string;
  publisher: string;
  subject: string;
  /** Each course has books of every publisher. */
  course: (typeof courses)[number];
  price: number;
  kind: "course book" | "story" | "set text";
};

/** Each has about an eighth of the books, and its own beginning of the ISBN after 978. */
const registrants = {
  Collins: "0007",
  CGP: "1782",
  Hodder: "1471",
  Oxford: "0198",
  Pearson: "1292",
  Longman: "0582",
  Macmillan: "9988",
  Skoldo: "9964",
};
export const benchPublishers = Object.keys(registrants) as (keyof typeof registrants)[];

export const courses = ["Primary", "JHS", "SHS", "General"] as const;

const words = (text: string) => text.split(",");

const classes = {
  Primary: words("Basic 1,Basic 2,Basic 3,Basic 4,Basic 5,Basic 6"),
  JHS: words("JHS 1,JHS 2,JHS 3"),
  SHS: words("SHS 1,SHS 2,SHS 3"),
};
const subjects = {
  Primary: words(
    "Mathematics,English Language,Science,Our World and Our People,Creative Arts,Computing,History of Ghana,French,Asante Twi,Ga,Eʋe,Fante",
  ),
  JHS: words(
    "Mathematics,English Language,Integrated Science,Social Studies,Computing,Career Technology,Creative Arts and Design,French,Religious and Moral Education,Asante Twi,Ga,Eʋe",
  ),
  SHS: words(
    "Core Mathematics,Elective Mathematics,English Language,Integrated Science,Social Studies,Physics,Chemistry,Biology,Economics,Geography,Government,History,Literature in English,Financial Accounting,Business Management,Food and Nutrition,Graphic Design,General Agriculture,French",
  ),
};
const series = words(
  "Sankofa,Bright Start,Golden Gate,New Horizon,Black Star,Adinkra,Volta,Star Learner,Step by Step,Excellence,Discovery,Pathway",
);
const kinds = words(
  "Learner's Book,Teacher's Guide,Workbook,Practice Tests,Revision Notes,Activity Book,Textbook,Questions and Answers",
);
const examinations = { JHS: "BECE", SHS: "WASSCE" };

const nouns = words(
  "River,Drum,Tortoise,Market,Harvest,Forest,Kente,Lagoon,Spider,Stool,Canoe,Goalkeeper,Teacher,Chief,Bicycle,Kite,Lantern,Baobab,Letter,Secret,Fisherman,Football,Gold,Storm,Journey,Promise,Stranger,Village,Holiday,Elephant,Crocodile,Library,Rain,Moon,Cocoa,Weaver,Hunter,Festival,Sister,Brother,Grandmother,Donkey,Bridge,Mountain,Potter,Radio,Trader,Treasure,Well,Courage",
);
const adjectives = words(
  "Clever,Little,Lost,Brave,Golden,Hungry,Proud,Hidden,Magic,Lazy,Broken,Last,Patient,Quiet,Great,Missing,Singing,Generous,Stubborn,Wise",
);
const places = words(
  "Accra,Kumasi,Tamale,Cape Coast,Elmina,Ho,Keta,Tema,Takoradi,Sunyani,Wa,Bolgatanga,Koforidua,Akosombo,Winneba,Bawku,Axim,Aburi,Yendi,Mampong",
);
const firstNames = words(
  "Kofi,Ama,Kwame,Abena,Kwaku,Akua,Yaw,Yaa,Kwabena,Afia,Esi,Kojo,Adwoa,Kwesi,Efua,Nii,Naa,Dela,Selorm,Mawuli,Ɛdem,Fuseini,Amina,Abdul-Rahman,Rahinatu,Grace,Samuel,Patience,Emmanuel,Comfort,Ebenezer,Gifty,Isaac,Mary,Ruth,Daniel",
);
const surnames = words(
  "Mensah,Owusu,Boateng,Asante,Osei,Appiah,Addo,Agyeman,Annan,Quaye,Lamptey,Tetteh,Amoah,Ofori,Darko,Danquah,Sarpong,Gyasi,Frimpong,Adjei,Acheampong,Asamoah,Nkansah,Opoku,Yeboah,Antwi,Bonsu,Kyei,Agbeko,Dzokoto,Amegashie,Kpodo,Alhassan,Iddrisu,Mahama,Yakubu,Nartey,Quartey,Okine,Otoo,O'Brien-Sackey",
);
const syllables = words("ba,du,ko,fi,ma,nte,sa,wo,ri,pe,la,gye,kro,mi,ta,so,nya,be,lu,hi");

/** What schools read, as it stands on the covers: the judged searches of search-queries.json look for these. */
const setTexts = [
  "Things Fall Apart (The African Trilogy, #1)|Chinua Achebe",
  "Purple Hibiscus|Chimamanda Ngozi Adichie",
  "Half of a Yellow Sun|Chimamanda Ngozi Adichie",
  "Homegoing|Yaa Gyasi",
  "Harry Potter and the Goblet of Fire (Harry Potter, #4)|J.K. Rowling",
  ...words(
    "Macbeth,Romeo and Juliet,Shakespeare's Romeo and Juliet,The Merchant of Venice,Julius Caesar",
  ).map((title) => `${title}|William Shakespeare`),
  "Animal Farm|George Orwell",
  "Animal Farm / 1984|George Orwell",
  "Lord of the Flies|William Golding",
  "Oliver Twist|Charles Dickens",
  "Great Expectations|Charles Dickens",
  "A Tale of Two Cities / Great Expectations|Charles Dickens",
  "Pride and Prejudice|Jane Austen",
  "The Little Prince|Antoine de Saint-Exupéry",
  "Charlie and the Chocolate Factory (Charlie Bucket, #1)|Roald Dahl",
  ..."Diary of a Wimpy Kid,Rodrick Rules,The Last Straw,Dog Days,The Ugly Truth,Cabin Fever,The Third Wheel,Hard Luck,The Long Haul,Old School"
    .split(",")
    .map((title, at) => `${title} (Diary of a Wimpy Kid, #${at + 1})|Jeff Kinney`),
  "Diary of a Wimpy Kid: #1-4|Jeff Kinney",
  "Do-It-Yourself Book (Diary of a Wimpy Kid)|Jeff Kinney",
  "The Wimpy Kid Movie Diary (Diary of a Wimpy Kid)|Jeff Kinney",
  "The Diary of a Young Girl|Anne Frank",
  "Long Walk to Freedom|Nelson Mandela",
  "Les Misérables|Victor Hugo",
  "Manga Classics: Les Misérables|Stacy King, Victor Hugo",
  "The Very Hungry Caterpillar Board Book|Eric Carle",
  "The 7 Habits of Highly Effective Teens: The Ultimate Teenage Success Guide|Sean Covey",
];

/** The same numbers each time, whole and below `limit`: a linear congruential generator. */
export function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** The first twelve digits of an ISBN with the check digit after them. */
export function withCheckDigit(twelve: string): string {
  const sum = [...twelve].reduce((all, digit, at) => all + Number(digit) * (at % 2 ? 3 : 1), 0);
  return `${twelve}${(10 - (sum % 10)) % 10}`;
}

const HOW_MANY = 10_000;
/** Made names of people and villages; the tenth is in about a tenth as many books as the first. */
const NAMES = 60_000;

/**
 * 10,000 school books, the same ones each time, no two with one title or ISBN: half are course books in series for a class and a subject,
 * the others stories, with some set texts and past questions. Words are spread as in a bookshop's list: subjects and kinds
 * are in many hundreds of books, most names of people and villages in one or two.
 */
export function schoolBooks(): SchoolBook[] {
  const next = numbers(2_026);
  const pick = <Item>(list: readonly Item[]): Item => list[next(list.length)] as Item;
  /** Made of two to four syllables: the lower the rank, the more often it comes. */
  const rareName = () => {
    let rank = Math.floor(NAMES ** (next(10_000) / 10_000)) * 37;
    let name = "";
    for (; rank > 0; rank = Math.floor(rank / syllables.length)) name += syllables[rank % syllables.length];
    return name.charAt(0).toUpperCase() + name.slice(1);
  };
  const surname = () => pick(surnames) + (next(4) ? "" : `-${next(3) ? pick(surnames) : rareName()}`);
  const author = () => `${pick(firstNames)} ${surname()}`;
  const authors = () => (next(4) ? author() : `${author()}, ${author()}`);
  const hero = () => (next(2) ? pick(firstNames) : rareName());

  const courseBook = () => {
    const course = pick(["Primary", "JHS", "SHS"] as const);
    const [subject, level] = [pick(subjects[course]), pick(classes[course])];
    if (course !== "Primary" && next(8) === 0) {
      const from = 1_995 + next(28);
      const title = `${examinations[course]} Past Questions: ${subject}, ${from} to ${from + 1 + next(4)}`;
      return { title, course, subject, price: 25 + next(40), kind: "course book" as const };
    }
    const title = `${pick(series)} ${subject} ${pick(kinds)} ${next(2) ? "for " : ""}${level}`;
    return { title, course, subject, price: 40 + next(160), kind: "course book" as const };
  };
  const story = () => {
    const [noun, adjective] = [pick(nouns), pick(adjectives)];
    const other = pick(nouns.filter((each) => each !== noun));
    const title = pick([
      () => `${hero()} and the ${adjective} ${noun}`,
      () => `The ${adjective} ${noun} of ${next(2) ? pick(places) : rareName()}`,
      () => `The ${noun} and the ${other}`,
      () => `${hero()}'s ${adjective} ${noun}`,
      () => `${hero()} Goes to ${next(3) ? pick(places) : rareName()}`,
    ])();
    const volume = next(3) ? "" : ` (${pick(series)} Readers, Book ${1 + next(12)})`;
    const course = next(3) ? ("General" as const) : pick(courses);
    return {
      title: title + volume,
      course,
      subject: "Reading",
      price: 15 + next(60),
      kind: "story" as const,
    };
  };

  const books: SchoolBook[] = [];
  const titles = new Set<string>();
  const add = (book: Omit<SchoolBook, "isbn" | "authors" | "publisher">, writtenBy = authors()) => {
    if (titles.has(book.title)) return;
    titles.add(book.title);
    const publisher = pick(benchPublishers);
    const serial = String((books.length * 7_919) % 100_000).padStart(5, "0");
    const isbn = next(15) ? withCheckDigit(`978${registrants[publisher]}${serial}`) : "";
    books.push({ isbn, authors: writtenBy, publisher, ...book });
  };
  for (const text of setTexts) {
    const [title = "", writtenBy] = text.split("|");
    add(
      { title, course: "General", subject: "Literature in English", price: 30 + next(90), kind: "set text" },
      writtenBy,
    );
  }
  // A novel's title of one word, which many other books have in theirs.
  for (const title of nouns)
    add({ title, course: "General", subject: "Reading", price: 20 + next(60), kind: "story" });
  while (books.length < HOW_MANY) add(next(2) ? courseBook() : story());
  return books;
}
