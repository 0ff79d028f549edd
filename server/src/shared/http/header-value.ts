/** Removes only the spaces and tabs that HTTP allows around a value, so that two different names stay different. */
export const trimmed = (text: string): string =>
  isSpace(text[0]) || isSpace(text.at(-1)) ? text.replace(/^[ \t]+|[ \t]+$/g, '') : text

const isSpace = (character: string | undefined): boolean => character === ' ' || character === '\t'
