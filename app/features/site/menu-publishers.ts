import { useRouteLoaderData } from "react-router";
import { type MenuPublisher, publisherPagePath } from "#app/features/publishers/publisher.ts";
import type { Destination } from "./navigation.ts";

/** The menus' publishers, from the root loader. */
export function useMenuPublishers(): Destination[] {
  const root = useRouteLoaderData<{ publishers: MenuPublisher[] }>("root");
  return (root?.publishers ?? []).map(({ name, slug }) => ({ label: name, to: publisherPagePath(slug) }));
}
