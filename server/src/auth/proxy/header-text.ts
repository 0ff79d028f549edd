const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes a header value, which Node reads as Latin-1: UTF-8 if its bytes are valid UTF-8 (`Jürgen`), else Latin-1. */
export function headerText(value: string): string {
  if (/^[\0-\x7f]*$/.test(value)) return value
  try {
    return utf8.decode(Buffer.from(value, 'latin1'))
  } catch {
    return value
  }
}

/** Characters that can hide or reorder other text, or can't be seen, and spaces that look like the usual one. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u

/** Whether no other name looks the same only because of characters that can't be seen. */
export const isDistinct = (text: string): boolean => !unseen.test(text)

/** Text for a log line: those that can't be seen escaped, at most 1000 characters before escaping. */
export const visible = (text: string): string =>
  text.slice(0, 1000).replace(new RegExp(unseen, 'gu'), (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)
