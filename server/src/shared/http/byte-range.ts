import { trimmed } from './header-value.ts'

/** The part of a file to send: bytes `from` to `to`, end exclusive. */
export interface Slice {
  readonly status: 200 | 206 | 416
  readonly from: number
  readonly to: number
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Parses a `Range` header (RFC 9110, 14.2). Several ranges, or an invalid one, select the whole file.
 *
 * @param size bytes of the whole file
 * @param etag of the whole file; an `If-Range` with another etag selects the whole file
 */
export function sliceOf(
  { range, ifRange }: { readonly range: string | undefined; readonly ifRange: string | undefined },
  size: number,
  etag: string,
): Slice {
  const whole = (): Slice => ({ status: 200, from: 0, to: size, headers: headersOf(0, size) })
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(trimmed(range ?? '')) ?? []
  if ((first === '' && last === '') || (ifRange !== undefined && ifRange !== etag)) return whole()
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return whole()
  if (from >= size || (first === '' && Number(last) === 0)) {
    return { status: 416, from: 0, to: 0, headers: { 'content-range': `bytes */${size}`, 'accept-ranges': 'bytes' } }
  }
  return {
    status: 206,
    from,
    to,
    headers: { ...headersOf(from, to), 'content-range': `bytes ${from}-${to - 1}/${size}` },
  }

  function headersOf(start: number, end: number): Record<string, string> {
    return { 'content-length': String(end - start), 'accept-ranges': 'bytes', etag }
  }
}
