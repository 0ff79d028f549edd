import type { RequestMeta } from '../shared/http/request-meta.ts'

/**
 * The `WWW-Authenticate` of a 401: ffmpeg, VLC and others send the username and password of a URL only after it. A
 * browser would show its own password prompt over the web UI's sign-in page, so its requests never get one.
 * Browsers send `Sec-Fetch-*` only over HTTPS and to this computer, but always call themselves Mozilla.
 *
 * @returns undefined for a browser's request
 */
export function challengeFor(meta: Pick<RequestMeta, 'values'>): string | undefined {
  const isBrowser =
    browserHeaders.some((name) => meta.values(name).length > 0) ||
    meta.values('user-agent').some((value) => /mozilla\//i.test(value))
  return isBrowser ? undefined : 'Basic realm="Gatehouse", charset="UTF-8"'
}

const browserHeaders = ['sec-fetch-mode', 'sec-fetch-site', 'sec-fetch-dest', 'origin', 'x-requested-with']
