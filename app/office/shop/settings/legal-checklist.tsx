import { Fragment } from "react";
import { Link } from "react-router";
import { legalFacts } from "#app/features/law/legal-facts.ts";
import { type SettingDefinition, type Shop, settings } from "#shared/owner/settings.ts";

/** What the law asks a shop to publish, and what of it is missing in the saved settings. */
export function LegalChecklist({ shop }: { shop: Shop }) {
  const facts = legalFacts(shop);
  const done = facts.filter(({ missing }) => missing.length === 0);
  return (
    <section aria-labelledby="legal-facts" className="mb-8 border-b border-line pb-5">
      <h2 id="legal-facts" className="text-20">
        What the law asks you to publish
      </h2>
      <p className="mt-1 text-muted">
        {done.length === facts.length
          ? "Everything is there."
          : `${done.length} of ${facts.length} are there. Customers see what is missing as a blank in [brackets].`}
      </p>
      <p className="text-muted">No lawyer has checked this list or the first texts. Have one read yours.</p>
      <ul className="mt-3 flex flex-col gap-2 text-15">
        {facts.map(({ source, fact, missing }) => (
          <li key={source} className="wrap-anywhere">
            <span className={missing.length > 0 ? "font-semibold text-clay" : "text-green"}>
              {missing.length > 0 ? "Missing" : "Done"}
            </span>
            : {fact} <span className="text-13 text-muted">({source})</span>
            {missing.length > 0 && (
              <span className="block text-13 text-muted">
                {missing.map((text, at) => (
                  <Fragment key={text}>
                    {at > 0 && "; "}
                    <SettingLink text={text} />
                  </Fragment>
                ))}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const definitions: readonly SettingDefinition[] = Object.values(settings);

/** What is missing begins with its setting's label, which may be in another section. */
function SettingLink({ text }: { text: string }) {
  const group = definitions.find(({ label }) => text === label || text.startsWith(`${label}: `))?.group;
  if (!group) return text;
  return (
    <Link to={`?group=${group}`} className="text-green underline underline-offset-4">
      {text}
    </Link>
  );
}
