/** Characters that break a line. */
const breaking = String.raw`\p{Cc}\p{Zl}\p{Zp}`
/** Characters that show nothing alone. Within a name they join others, in emoji and in words of Persian or Hindi. */
const invisible = String.raw`\p{Cf}\p{Default_Ignorable_Code_Point}\u2800`

/** Characters that break a line, change the direction of the text around them, or are half of one. */
const unsuitable = new RegExp(`[${breaking}\\p{Cs}\\p{Bidi_Control}]`, 'gu')
/** Of these, the ones between which a reader sees space. */
const breaks = new RegExp(`[${breaking}]+`, 'gu')
/** Characters that can't be seen, or hide or reorder others, and spaces that look like the usual one. */
const unseen = new RegExp(`[${breaking}\\p{Cs}${invisible}]|(?! )\\p{Zs}`, 'gu')
/** Characters that show nothing alone, and spaces. */
const blank = new RegExp(`[${invisible}\\p{Z}]`, 'gu')

/** Whether a text can be shown in one line without disguising what is next to it. */
export const isSingleLine = (text: string): boolean => text.search(unsuitable) === -1

/** Whether a text shows anything. */
export const isVisible = (text: string): boolean => text.replaceAll(blank, '') !== ''

/**
 * Whether a text has only characters that can be seen, and single ordinary spaces, and is in NFC. Different letters that
 * look alike, such as a Latin and a Cyrillic `a`, aren't checked.
 */
export const isDistinct = (text: string): boolean =>
  text.search(unseen) === -1 && !text.includes('  ') && text === text.normalize('NFC')

/** A text in which characters that can't be seen, and spaces that look like the usual one, are escaped. */
export const withEscapes = (text: string): string =>
  text.replaceAll(unseen, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)

/** A display name that can't be refused, without the characters that no such name has; null: nothing is left to show. */
export function shownName(text: string): string | null {
  const shown = text.trim().replaceAll(breaks, ' ').replaceAll(unsuitable, '').trim()
  return isVisible(shown) ? shown : null
}
