import { createHash, randomBytes } from 'node:crypto'

/** A camera's credentials, as typed: not percent-encoded. */
export interface Credentials {
  readonly username: string
  readonly password: string
}

/** The authentication that a camera requests (RFC 7616, RFC 7617). */
export interface Challenge {
  readonly scheme: 'basic' | 'digest'
  readonly params: ReadonlyMap<string, string>
}

const hashes: ReadonlyMap<string, string> = new Map([
  ['', 'md5'],
  ['md5', 'md5'],
  ['sha-256', 'sha256'],
])

/** The safest supported challenge of `WWW-Authenticate`; undefined if there is none. */
export function challengeIn(header: string): Challenge | undefined {
  const found = [...header.matchAll(/(?:^|,)\s*(basic|digest)\b(?=\s|$|,)/gi)].map((match, i, all) => ({
    scheme: match[1]?.toLowerCase() === 'digest' ? ('digest' as const) : ('basic' as const),
    params: paramsIn(header.slice(match.index + match[0].length, all[i + 1]?.index)),
  }))
  const digests = found.filter(({ scheme, params }) => scheme === 'digest' && hashOf(params) !== undefined)
  return (
    digests.find(({ params }) => hashOf(params) === 'sha256') ??
    digests[0] ??
    found.find(({ scheme }) => scheme === 'basic')
  )
}

/** A name begins where no earlier one can: tried at each of its characters, a long one would block the service. */
export const paramsIn = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(/(?<![\w-])([\w-]+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^\s,]+))/g)].map(
      ([, name = '', quoted, bare = '']) => [name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? bare],
    ),
  )

const hashOf = (params: Challenge['params']): string | undefined =>
  hashes.get((params.get('algorithm') ?? '').toLowerCase().replace(/-sess$/, ''))

/** The value of `Authorization` for a GET of `path`, including its query. */
export function authorizationFor(challenge: Challenge, { username, password }: Credentials, path: string): string {
  if (challenge.scheme === 'basic') return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const { params } = challenge
  const hash = (text: string): string =>
    createHash(hashOf(params) ?? 'md5')
      .update(text)
      .digest('hex')
  const [realm, nonce] = [params.get('realm') ?? '', params.get('nonce') ?? '']
  const algorithm = params.get('algorithm')
  const cnonce = randomBytes(16).toString('hex')
  // Each request gets a new nonce, so its count is always the first.
  const count = '00000001'
  const secret = hash(`${username}:${realm}:${password}`)
  const key = /-sess$/i.test(algorithm ?? '') ? hash(`${secret}:${nonce}:${cnonce}`) : secret
  const withQop = /(?:^|[\s,])auth(?:$|[\s,])/.test(params.get('qop') ?? '')
  const subject = hash(`GET:${path}`)
  const response = hash(withQop ? `${key}:${nonce}:${count}:${cnonce}:auth:${subject}` : `${key}:${nonce}:${subject}`)
  const quoted = { username, realm, nonce, uri: path, response, cnonce, opaque: params.get('opaque') }
  const plain = { algorithm, qop: withQop ? 'auth' : undefined, nc: withQop ? count : undefined }
  const parts = [
    ...Object.entries(quoted).flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${escaped(value)}"`])),
    ...Object.entries(plain).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`])),
  ]
  return `Digest ${parts.join(', ')}`
}

const escaped = (text: string): string => text.replaceAll(/["\\]/g, '\\$&')
