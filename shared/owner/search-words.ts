/** The names of a class, with its number after each. */
const named = (names: readonly string[], number: number) => names.map((name) => `${name} ${number}`);

/** Cambridge stages and English years count as the class whose pupils have the same age. */
const curricula = ["basic", "grade", "year", "stage", "B"];
const primaryClasses = [1, 2, 3, 4, 5, 6].map((n) => named(["primary", "class", "P", ...curricula], n));
/** JHS 1 is also called Form 1, and Basic 7 where classes are counted from the first of primary school. */
const juniorHighClasses = [1, 2, 3].map((n) => [
  ...named(["JHS", "JSS", "junior high", "junior high school", "form"], n),
  ...named(curricula, n + 6),
]);

/**
 * The owner's list of words that mean the same to teachers. Where a search finds little, the shop also looks for the other words of a
 * line. Case, accents, plurals and hyphens don't matter, nor whether a number is written apart: 'JHS 1' is also 'jhs1'.
 *
 * To add words, extend a line or add one, then restart the shop (hosted projects: `npm run migrate`). A word may be in several
 * lines. A line can also hold a misspelling that is far from the right word.
 */
export const searchWords: readonly (readonly string[])[] = [
  ...primaryClasses,
  ...juniorHighClasses,
  ["lower primary", "key stage 1", "KS1"],
  ["upper primary", "key stage 2", "KS2"],
  ["JHS", "junior high school", "junior high", "JSS", "lower secondary", "key stage 3", "KS3", "checkpoint"],
  // Senior high school begins at the age of IGCSE and ends at the age of A levels.
  ["SHS", "senior high school", "senior high", "SSS", "senior secondary", "IGCSE", "GCSE", "A level"],
  ["SHS 1", "SSS 1", "senior high 1", "senior high school 1", "year 10", "grade 10", "IGCSE", "GCSE"],
  ["SHS 2", "SSS 2", "senior high 2", "senior high school 2", "year 11", "grade 11", "IGCSE", "GCSE"],
  ["SHS 3", "SSS 3", "senior high 3", "senior high school 3", "year 12", "grade 12", "A level"],
  ["year 13", "A level"],
  ["kindergarten", "KG", "early years", "reception", "foundation stage"],
  ["nursery", "early years", "preschool", "pre-school", "pre school", "creche"],
  ["KG 1", "kindergarten 1", "reception", "nursery 2", "early years"],
  ["KG 2", "kindergarten 2", "reception", "early years"],

  // Numbers, which may also be written as words within other lines: 'class four' is 'class 4'.
  ["1", "one"],
  ["2", "two", "II"],
  ["3", "three", "III"],
  ["4", "four", "IV"],
  ["5", "five"],
  ["6", "six", "VI"],
  ["7", "seven", "VII"],
  ["8", "eight", "VIII"],
  ["9", "nine", "IX"],
  ["10", "ten"],
  ["11", "eleven"],
  ["12", "twelve"],

  // Examinations and curricula.
  ["BECE", "basic education certificate examination", "basic education certificate exam"],
  ["WASSCE", "WAEC", "SSCE", "west african senior school certificate"],
  ["A level", "AS & A level", "alevel", "advanced level", "sixth form"],
  ["O level", "olevel", "IGCSE", "GCSE"],
  ["IB", "international baccalaureate"],
  ["MYP", "middle years programme", "IB middle years"],
  ["common entrance", "entrance exam", "11+", "11 plus", "eleven plus"],
  ["past questions", "pasco", "past papers", "practice papers", "practice tests", "exam practice"],
  ["revision guide", "study guide", "complete revision", "revision book", "study book"],

  // Subjects.
  ["mathematics", "maths", "math", "core maths", "arithmetic", "numeracy", "mathx"],
  [
    "elective maths",
    "elective mathematics",
    "E-maths",
    "emaths",
    "additional mathematics",
    "further mathematics",
  ],
  ["additional mathematics", "additional maths", "add maths", "addmaths", "A-maths", "amaths"],
  ["further mathematics", "further maths"],
  ["statistics", "stats"],
  ["trigonometry", "trig"],
  ["science", "sci", "integrated science", "int. science", "general science"],
  ["English", "Eng", "English language"],
  ["English as a second language", "ESL", "second language English", "EAL", "EFL"],
  ["English as a first language", "first language English", "FLE"],
  [
    "literature",
    "lit",
    "literature in English",
    "lit in English",
    "English literature",
    "English lit",
    "Eng lit",
  ],
  ["spelling", "grammar punctuation & spelling", "grammar punctuation and spelling", "SPaG", "GPS"],
  ["vocabulary", "vocab"],
  ["verbal reasoning", "VR"],
  ["non-verbal reasoning", "NVR"],
  ["phonics", "fonics", "jolly phonics"],
  ["reading", "readers", "reading books"],
  // Series whose titles don't say that they are stories.
  ["story books", "storybooks", "stories", "readers", "reading adventures", "reading planet", "big cat"],
  ["composition", "essay writing", "creative writing", "writing skills"],
  ["ICT", "computing", "computer studies", "computer science", "computers", "information technology"],
  ["computer science", "compsci", "comp sci", "compu sci"],
  ["RME", "religious and moral education", "religious education", "religious studies"],
  ["christian religious studies", "CRS", "bible knowledge", "religious studies"],
  ["OWOP", "our world our people", "our world and our people"],
  ["social studies", "social", "soc studies", "soc stud", "citizenship"],
  ["creative arts", "art & design", "visual arts", "arts", "drawing", "creative arts and design", "CAD"],
  ["physics", "phy", "phys", "fisics", "phisics"],
  ["chemistry", "chem"],
  ["biology", "bio", "biol"],
  ["geography", "geo", "geog"],
  ["history", "hist"],
  ["economics", "econs", "econ"],
  ["business studies", "business management", "business", "bus studies", "biz"],
  ["accounting", "accounts", "acct", "accts", "financial accounting"],
  ["government", "govt", "gov", "politics"],
  ["psychology", "psych"],
  ["sociology", "socio"],
  ["global perspectives", "GP"],
  ["theory of knowledge", "TOK"],
  ["agriculture", "agric", "agricultural science", "agric science"],
  ["home economics", "home econs", "home ec", "food & nutrition", "food and nutrition"],
  ["career technology", "career tech", "basic design and technology", "BDT", "design & technology", "DT"],
  ["technical drawing", "tech drawing", "TD"],
  ["physical education", "PE", "PHE"],
  ["Twi", "Akan", "Asante Twi", "Akuapem Twi"],
  ["Ghanaian language", "Gh language", "Twi", "Fante", "Ewe", "Ga", "Dagbani"],
  ["Fante", "Fanti", "Mfantse"],
  ["French", "Francais"],
  ["Spanish", "Espanol"],
  ["mental arithmetic", "mental maths", "quick maths", "mental drill"],
  ["times tables", "multiplication tables", "multiplication", "time tables", "times table"],
  ["comprehension", "reading comprehension"],
  ["handwriting", "hand writing", "penmanship", "pencil control", "letter formation", "writing skills"],

  // Kinds of books.
  [
    "textbook",
    "text book",
    "coursebook",
    "course book",
    "student's book",
    "learner's book",
    "pupil's book",
    "pupil book",
  ],
  ["workbook", "work book", "practice book", "activity book", "question book"],
  [
    "teacher's guide",
    "teacher's book",
    "teacher's resource",
    "teacher's manual",
    "teachers handbook",
    "facilitator's guide",
  ],
  ["atlas", "map book", "maps"],
  ["dictionary", "dict"],

  // Stationery.
  ["exercise book", "note book", "notebook", "jotter", "writing book"],
  // Otherwise the A would be ignored as an article.
  ["A4", "A4 size"],
  ["A3", "A3 size"],
  ["A4 paper", "A4 sheets", "copy paper", "printing paper", "photocopy paper", "ream"],
  ["mathematical set", "math set", "maths set", "mathset", "geometry set"],
  ["pen", "biro", "ballpoint pen"],
  ["eraser", "rubber"],
  ["marker", "board marker", "whiteboard marker", "white board marker"],
  ["crayon", "colour pencil", "color pencil", "colouring"],
  ["card", "cardboard", "manila card", "manilla"],
  ["glue", "gum", "glue stick"],
  ["colour", "color"],
  ["water colour", "watercolour", "water color", "paint"],
  ["graph book", "graph sheet", "graph paper"],
  ["wall chart", "chart", "poster"],
  ["answer booklet", "answer sheet", "exam booklet"],
];
