import type { Shop } from "#shared/owner/settings.ts";

/** The rows of figures on the pages about the shop and on guidance. */

export const aboutFigures = ({
  years,
  publishers,
  regions,
}: Pick<Shop, "years" | "publishers" | "regions">) => [
  { figure: years, unit: "years" },
  { figure: publishers, unit: "publishers" },
  { figure: regions, unit: "regions" },
];

type GuidanceFigures = Pick<Shop, "guidedInstitutions" | "resources" | "satisfaction">;

export const guidanceFigures = ({ guidedInstitutions, resources, satisfaction }: GuidanceFigures) => [
  { figure: guidedInstitutions, unit: "institutions" },
  { figure: resources, unit: "resources" },
  { figure: satisfaction, unit: "satisfaction" },
];

/** What search engines and link previews say of the shop. */
export const aboutDescription = ({
  name,
  yearsInWords,
  regions,
}: Pick<Shop, "name" | "yearsInWords" | "regions">) =>
  `${
    yearsInWords && regions
      ? `For ${yearsInWords} ${name} has brought school books to classrooms in all ${regions} regions of Ghana.`
      : `About ${name}.`
  } Who we are and what we stand for.`;
