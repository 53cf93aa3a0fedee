/** For pages that belong to one person: the server, which does not know who asks, cannot draw them. */
export function NeedsJavaScript() {
  return (
    <noscript>
      <p className="rounded-card border border-line bg-surface p-5">
        This page shows what belongs to you alone and needs JavaScript. Please switch it on and load the page
        again; browsing the shop works without it.
      </p>
    </noscript>
  );
}
