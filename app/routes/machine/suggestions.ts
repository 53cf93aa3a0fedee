import { listBookFacets } from "#app/features/catalogue/catalogue.queries.ts";
import { suggest } from "#app/features/suggestions/suggest.ts";
import { suggestBooks } from "#app/features/suggestions/suggestion.queries.ts";
import { suggestionsPath } from "#app/features/suggestions/suggestion.ts";
import { isBackendFailure, logFailure } from "#app/lib/backend/failure-message.ts";
import { pageContext } from "#app/lib/pages/request-context.ts";
import type { Route } from "./+types/suggestions.ts";

/** Deleting a letter sends no request. */
const headers = { "Cache-Control": "public, max-age=60", "X-Robots-Tag": "noindex" };

/** The header's search suggestions for a text, as JSON: the same for everyone. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const typed = new URL(request.url).searchParams.get("q") ?? "";
  if (!suggestionsPath(typed)) return Response.json([], { headers });
  const { backend, cached } = context.get(pageContext);
  try {
    const [books, facets] = await Promise.all([
      suggestBooks(backend, typed),
      cached("facets", () => listBookFacets(backend)),
    ]);
    return Response.json(suggest(typed, books, facets), { headers });
  } catch (error) {
    if (!isBackendFailure(error)) throw error;
    logFailure("Failed to suggest books", error);
    return new Response(null, { status: 503, headers: { "Retry-After": "5" } });
  }
}
