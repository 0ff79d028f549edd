import { withEscapes } from '../../shared/display-name.ts'

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

/** Text for a log line: at most 1000 characters, and those that can't be seen escaped. */
export const visible = (text: string): string => withEscapes(text.slice(0, 1000))
