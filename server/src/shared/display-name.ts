/** Characters that break a line, change the direction of the text around them, or are half of one. */
const unsuitable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u
/** Of these, the ones between which a reader sees space. */
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
/** Characters that show nothing alone. Within a name they join others, in emoji and in words of Persian or Hindi. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Z}\u2800]/gu

/** Whether a text can be shown in one line without disguising what is next to it. */
export const isSingleLine = (text: string): boolean => !unsuitable.test(text)

/** Whether a text shows anything. */
export const isVisible = (text: string): boolean => text.replaceAll(invisible, '') !== ''

/** A display name that can't be refused, without the characters that no such name has; null: nothing is left to show. */
export function shownName(text: string): string | null {
  const shown = text.trim().replaceAll(breaks, ' ').replaceAll(new RegExp(unsuitable, 'gu'), '').trim()
  return isVisible(shown) ? shown : null
}
