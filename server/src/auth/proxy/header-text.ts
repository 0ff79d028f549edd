const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** What a header's bytes say: UTF-8 where they are that (`Jürgen`), else Latin-1, as which they arrive. */
export function headerText(value: string): string {
  if (/^[\0-\x7f]*$/.test(value)) return value
  try {
    return utf8.decode(Buffer.from(value, 'latin1'))
  } catch {
    return value
  }
}

/** Characters that move or hide what is beside them: control characters, line and paragraph ends, changes of direction. */
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

export const isPrintable = (text: string): boolean => !unprintable.test(text)

/** For a log line: what does not print as its code, and no longer than anybody reads. */
export const visible = (text: string): string =>
  text
    .slice(0, 1000)
    .replace(new RegExp(unprintable, 'gu'), (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)
