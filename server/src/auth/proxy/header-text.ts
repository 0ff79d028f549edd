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

/** Characters that can hide or reorder other text: control characters, line and paragraph separators, bidi controls. */
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

export const isPrintable = (text: string): boolean => !unprintable.test(text)

/** Text for a log line: unprintable characters escaped, at most 1000 characters before escaping. */
export const visible = (text: string): string =>
  text
    .slice(0, 1000)
    .replace(new RegExp(unprintable, 'gu'), (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)
