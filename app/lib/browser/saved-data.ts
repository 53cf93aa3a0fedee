/**
 * Runs in the page's head: marks the document when the visitor's browser saves data (Save-Data, or the system's setting where
 * a browser passes it on). Pages are the same for everybody and cached, so the server cannot decide this. A picture that CSS hides and
 * that loads lazily is not fetched. Constant text, hashed by the security policy.
 */
export const savedDataScript =
  'if(navigator.connection?.saveData||matchMedia("(prefers-reduced-data:reduce)").matches)document.documentElement.dataset.lean="";';

/** Whether decorative pictures wait until they are requested. */
export function savesData(): boolean {
  return "lean" in document.documentElement.dataset;
}

/** The visitor has requested pictures: from now on, this document shows them. */
export function showPictures(): void {
  delete document.documentElement.dataset.lean;
}
