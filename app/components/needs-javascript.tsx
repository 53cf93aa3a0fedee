/** For personal pages: the server does not know who is signed in and cannot render them. */
export function NeedsJavaScript() {
  return (
    <noscript>
      <p className="rounded-card border border-line bg-surface p-5">
        This page shows your own account and needs JavaScript. Please switch it on and reload the page. You
        can browse the shop without it.
      </p>
    </noscript>
  );
}
