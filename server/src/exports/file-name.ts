/**
 * The header that gives a download its name (RFC 6266): as it is, and in ASCII for those who read no other.
 *
 * @param title of the camera
 * @param start Unix milliseconds
 */
export function contentDisposition(name: string, title: string, camera: string, start: number): string {
  const moment = `${new Date(start).toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '-')}Z`
  const whole = `${fileNameFrom(name) || `${fileNameFrom(title) || camera} ${moment}`}.mp4`
  const ascii = asciiFrom(whole)
  const plain = /[A-Za-z0-9].*\.mp4$/.test(ascii) ? ascii : `${camera} ${moment}.mp4`
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded(whole)}`
}

/** Signs, so that no file system finds it too long. */
const longest = 60

/** One that is put together of several is not taken apart. */
const signs = new Intl.Segmenter('en')

/** What no file system takes, and what makes a name read otherwise than it is, is left out. */
const fileNameFrom = (text: string): string => {
  const clean = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffd]/gu, '')
    .replaceAll(/[/\\:*?"<>|]/g, '-')
    .replaceAll(/\s+/g, ' ')
  return Array.from(signs.segment(clean), ({ segment }) => segment)
    .slice(0, longest)
    .join('')
    .replaceAll(/^[. ]+|[. ]+$/g, '')
}

/** Accents are taken off; for what has no likeness in ASCII stands `_`. */
const asciiFrom = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\x20-\x7e]+/g, '_')
    .replaceAll(/["\\%]/g, '-')

const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
