import { createHash } from 'node:crypto'

/** URL parameters in which cameras accept credentials. */
const secrets =
  /^(user(name)?|usr|login|pass(word|wd)?|pwd|psw|token|auth|authorization|key|api_?key|secret|sig(nature)?|loginuse|loginpas)$/i

/**
 * Identifies the source of a camera without its credentials: a hash of its protocol, host, port, path and the rest of
 * the query; for a file or a demo scene, a hash of the whole text.
 */
export function sourceIdentity(source: string): string {
  const url = /^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(source) ? URL.parse(source) : null
  const named = url ? nameOf(url) : source
  return createHash('sha256').update(named).digest('base64url')
}

function nameOf({ protocol, hostname, port, pathname, searchParams }: URL): string {
  const query = [...searchParams]
    .filter(([name]) => !secrets.test(name))
    .map((pair) => pair.map(encodeURIComponent).join('='))
  return `${protocol}//${hostname.toLowerCase()}:${port || (defaultPorts[protocol] ?? '')}${pathname}?${query.join('&')}`
}

const defaultPorts: Readonly<Record<string, string>> = {
  'rtsp:': '554',
  'rtsps:': '322',
  'rtmp:': '1935',
  'http:': '80',
  'https:': '443',
}
