const WEB_ADDRESS = /^https:\/\/[^\s/@?#"<>]+\.[^\s/@?#"<>]+([/?#][^\s"<>]*)?$/;

/** Whether a typed address may become a link: https, and no sign-in before the host. private.is_web_address says the same. */
export const isWebAddress = (address: string): boolean => WEB_ADDRESS.test(address);
