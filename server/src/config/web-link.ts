import type { ValueFormat } from './key.ts'

export const linkForm: ValueFormat = {
  form: 'link',
  words: 'an `http://` or `https://` address, or a path of this site that starts with `/`; or null',
}

/** Whether a text is no address that a link may lead to: `javascript:` and its like run code. */
export function notLink(text: string): boolean {
  // A browser drops control characters and takes `\` for `/`, so `/\evil.example` leads away.
  if (/[\s\p{Cc}\\]/u.test(text)) return true
  if (text.startsWith('/')) return text.startsWith('//')
  return !/^https?:\/\//i.test(text) || !URL.canParse(text)
}
