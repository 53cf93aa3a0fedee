/**
 * The only page that may use the camera and run WebAssembly (decision 53). Headers belong to a document, so
 * it is opened as its own document.
 */
export const CAMERA_PAGE = "/admin/scan";
