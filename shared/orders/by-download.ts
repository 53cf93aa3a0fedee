/**
 * How digital titles alone are delivered; in its own file so that the cart doesn't download the other
 * methods' lists.
 */
export const BY_DOWNLOAD = "By download";
