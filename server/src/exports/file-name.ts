import { create } from 'content-disposition'

/** `inline`: to play. `attachment`: to save. */
export type Disposition = 'inline' | 'attachment'

/**
 * The header that names a download (RFC 6266): in UTF-8, and in ASCII for clients that read nothing else.
 *
 * @param title of the camera
 * @param start Unix milliseconds
 */
export function contentDisposition(
  name: string,
  title: string,
  camera: string,
  start: number,
  type: Disposition = 'attachment',
): string {
  const moment = `${new Date(start).toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '-')}Z`
  const whole = `${fileNameFrom(name) || `${fileNameFrom(title) || camera} ${moment}`}.mp4`
  const ascii = asciiFrom(whole)
  const plain = /[A-Za-z0-9].*\.mp4$/.test(ascii) ? ascii : `${camera} ${moment}.mp4`
  return create(whole, { type, fallback: plain })
}

/** Maximum characters of a name, so that it isn't too long for any file system. */
const longest = 60

/** Splits text into characters as users see them, so that a combined character is not cut. */
const segmenter = new Intl.Segmenter('en')

/** Replaces or removes characters that a file system rejects, and removes those that disguise a name. */
const fileNameFrom = (text: string): string => {
  const clean = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffd]/gu, '')
    .replaceAll(/[/\\:*?"<>|]/g, '-')
    .replaceAll(/\s+/g, ' ')
  return Array.from(segmenter.segment(clean), ({ segment }) => segment)
    .slice(0, longest)
    .join('')
    .replaceAll(/^[. ]+|[. ]+$/g, '')
}

/** Removes accents, and replaces text without an ASCII form by `_`. */
const asciiFrom = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\x20-\x7e]+/g, '_')
    .replaceAll(/["\\%]/g, '-')
