/** The look of inputs and selects. Apart from the fields, so that a page can use it without downloading them. */
export const controlClass = "control";
