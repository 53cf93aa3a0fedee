import { FigureRow } from "#app/components/figure-row.tsx";
import { homeWords } from "#app/features/home/home-words.ts";
import { aboutDescription, aboutFigures, guidanceFigures } from "#app/features/site/shop-figures.ts";
import type { Shop } from "#shared/owner/settings.ts";
import { Preview } from "./line-fields.tsx";

/** Where the figures and claims stand on the shop's pages, as they are typed. */
export function ClaimsPreview({ shop }: { shop: Shop }) {
  const { whyChoose, reasons } = homeWords(shop);
  return (
    <Preview of="Figures and claims">
      <h3 className="font-sans text-15 text-muted">Home page</h3>
      {reasons.length > 0 && whyChoose && <p>{whyChoose}</p>}
      {reasons.length > 0 ? (
        <ul className="mt-1 list-disc pl-5">
          {reasons.map(({ figure, unit, title, text }) => (
            <li key={unit} className="wrap-anywhere">
              {figure && (
                <span className="figures font-semibold text-green">
                  {figure} {unit}:{" "}
                </span>
              )}
              {title && `${title}. `}
              {text}
            </li>
          ))}
        </ul>
      ) : (
        <p>No reasons yet, so no figures either: each figure appears beside its reason.</p>
      )}
      <h3 className="mt-4 font-sans text-15 text-muted">About</h3>
      <FigureRow label="Figures on About" className="wrap-normal" figures={aboutFigures(shop)} />
      <p className="mt-2">Search engines: “{aboutDescription(shop)}”</p>
      <h3 className="mt-4 font-sans text-15 text-muted">Guidance page</h3>
      <FigureRow
        label="Figures on the guidance page"
        className="wrap-normal"
        figures={guidanceFigures(shop)}
      />
      {guidanceFigures(shop).every(({ figure }) => !figure) && <p>No figures.</p>}
    </Preview>
  );
}
