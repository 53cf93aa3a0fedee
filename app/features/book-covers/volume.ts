/** A number after one of these words, or at the end: 'Pack of 12' is a quantity. */
const volume =
  /(?:\b(?:Book|Volume|Part|Stage|Step|Level|Year|Grade|Class|Basic|Primary|Form|JHS|SHS)|(?<!\bof)(?=\s\w+\s*$))\s+(\d{1,2}[A-Z]?)(?![\w+-])/i;

/**
 * Which of its series a title is: '4' of 'Mental Arithmetic 4', '3A' of 'Pupil Book 3A', '2' of 'Primary French Book 2
 * Pupil Book'; undefined for most.
 */
export const volumeOf = (title: string): string | undefined => volume.exec(title)?.[1]?.toUpperCase();
