/**
 * Where to go after signing in: a path of this service, or `/` for anything else. A browser drops tabs and line breaks
 * and treats `\` as `/`, so such text could lead to another site.
 *
 * @param text without the base path
 */
export function returnPath(text: string | undefined): string {
  if (text === undefined || text.length > maxLength || !/^\/(?!\/)[!-[\]-~]*$/.test(text)) return '/'
  const url = URL.parse(text, base)
  // Dots are resolved by the parser: `/.//evil.example` is the path `//evil.example`.
  if (url?.origin !== base || url.pathname.startsWith('//')) return '/'
  const path = url.pathname + url.search + url.hash
  // The parser encodes some characters as three.
  return path.length <= maxLength ? path : '/'
}

const base = 'http://gatehouse.invalid'
const maxLength = 2_048
