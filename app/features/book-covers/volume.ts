/** A number after one of these words, or at the end: 'Pack of 12' is a quantity. */
const volume =
  /(?:\b(?:Book|Volume|Part|Stage|Step|Level|Year|Grade|Class|Basic|Primary|Form|JHS|SHS)|(?<!\bof)(?=\s\w+\s*$))\s+(\d{1,2}[A-Z]?)(?![\w+-])/i;

/**
 * Returns the volume in a title: '4' for 'Mental Arithmetic 4', '3A' for 'Pupil Book 3A', '2' for 'Primary French Book 2
 * Pupil Book'; undefined for most.
 */
export const volumeOf = (title: string): string | undefined => volume.exec(title)?.[1]?.toUpperCase();
