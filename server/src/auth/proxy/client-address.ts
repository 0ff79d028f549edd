import { trimmed } from '../../shared/header-value.ts'
import type { Client, RequestMeta } from '../../shared/request-meta.ts'
import { networksFrom, plainAddress, type InNetworks } from '../../shared/networks.ts'

export interface ClientViewDeps {
  /** `auth.trusted_proxies` in force. Read again when the array is another one, so a change comes as a new array. */
  readonly trustedProxies: () => readonly string[]
  /** `http.base_path`, `/` or `/…/`. */
  readonly basePath: string
}

/** How a request's client is seen: the socket's other end, or, behind trusted proxies, whom they speak for. */
export function createClientResolver({ trustedProxies, basePath }: ClientViewDeps): (meta: RequestMeta) => Client {
  let entries: readonly string[] | undefined
  let trusted = networksFrom([])
  return (meta) => {
    const active = trustedProxies()
    if (active !== entries) {
      trusted = networksFrom(active)
      entries = active
    }
    return new ClientBeforeProxies(meta, trusted, basePath)
  }
}

/** Each answer is worked out when it is first asked for, since most requests never ask. */
class ClientBeforeProxies implements Client {
  readonly #knock: RequestMeta
  readonly #trusted: InNetworks
  readonly #configuredBasePath: string
  #address: string | undefined
  #viaProxy: boolean | undefined

  constructor(meta: RequestMeta, trusted: InNetworks, basePath: string) {
    this.#knock = meta
    this.#trusted = trusted
    this.#configuredBasePath = basePath
  }

  get address(): string {
    this.#address ??= this.#isViaProxy
      ? originatingAddress(this.#knock, this.#trusted)
      : (plainAddress(this.#knock.peer) ?? this.#knock.peer)
    return this.#address
  }

  get encrypted(): boolean {
    return this.#forwardedEncrypted ?? this.#knock.encrypted
  }

  get knownEncrypted(): boolean {
    return this.#isViaProxy ? this.#forwardedEncrypted === true : this.#knock.encrypted
  }

  get host(): string {
    const host = hostFrom(this.#forwarded('x-forwarded-host')) ?? hostFrom(this.#hostHeader) ?? ''
    const port = this.#forwarded('x-forwarded-port')
    const lacksPort = host !== '' && !/:\d+$/.test(host.slice(host.lastIndexOf(']') + 1))
    return lacksPort && port !== undefined && /^\d{1,5}$/.test(port) ? `${host}:${port}` : host
  }

  get basePath(): string {
    return prefixFrom(this.#forwarded('x-forwarded-prefix')) ?? this.#configuredBasePath
  }

  /** undefined where no trusted proxy says. */
  get #forwardedEncrypted(): boolean | undefined {
    const scheme = this.#forwarded('x-forwarded-proto')?.toLowerCase() ?? ''
    if (/^(?:http|ws)s$/.test(scheme)) return true
    return scheme === 'http' || scheme === 'ws' ? false : undefined
  }

  get #isViaProxy(): boolean {
    return (this.#viaProxy ??= this.#trusted(this.#knock.peer))
  }

  /** undefined where it comes twice with different values: nobody knows which was meant. */
  get #hostHeader(): string | undefined {
    const [host, ...others] = this.#knock.values('host')
    return others.every((other) => other === host) ? host : undefined
  }

  /** What the nearest proxy wrote; undefined where the peer is no trusted one. */
  #forwarded(name: string): string | undefined {
    if (!this.#isViaProxy) return undefined
    // A proxy that adds to a list adds at its end. What stands before may be the client's own.
    const line = this.#knock.values(name).at(-1)
    return line === undefined ? undefined : trimmed(line.slice(line.lastIndexOf(',') + 1))
  }
}

/** Nobody has more proxies, and what goes on longer is not worth reading. */
const maxHops = 64

/** RATE-6: `X-Forwarded-For` from the right, to the first address that is not a trusted proxy. */
function originatingAddress(meta: RequestMeta, trusted: InNetworks): string {
  let lastGood = plainAddress(meta.peer) ?? meta.peer
  let hops = 0
  for (const line of meta.values('x-forwarded-for').toReversed()) {
    for (let end = line.length; end >= 0;) {
      const comma = end === 0 ? -1 : line.lastIndexOf(',', end - 1)
      const address = ++hops > maxHops ? undefined : forwardedAddress(line.slice(comma + 1, end))
      if (address === undefined) return lastGood
      if (!trusted(address)) return address
      lastGood = address
      end = comma
    }
  }
  return lastGood
}

/** `192.0.2.7`, `192.0.2.7:80`, `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:80`, without the port. */
function forwardedAddress(text: string): string | undefined {
  const entry = trimmed(text)
  // The longest address has 45 characters; a zone and a port come on top.
  if (entry.length > 100) return undefined
  const bracketed = /^\[([^\]]*:[^\]]*)\](?::\d{1,5})?$/.exec(entry)
  return plainAddress(bracketed?.[1] ?? entry.replace(/^([\d.]+):\d{1,5}$/, '$1'))
}

const hostFrom = (text: string | undefined): string | undefined =>
  text !== undefined && text.length <= 261 && /^(?:[\w.~-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/.test(text)
    ? text
    : undefined

/** `/gate` or `/gate/` as `/gate/`. It ends up in pages, redirects and cookies, so nothing odd gets through. */
function prefixFrom(text: string | undefined): string | undefined {
  if (text === undefined || text.length > 256) return undefined
  if (text === '/') return '/'
  if (!/^(?:\/[\w.~-]+)+\/?$/.test(text)) return undefined
  if (text.split('/').some((segment) => segment === '.' || segment === '..')) return undefined
  return text.endsWith('/') ? text : `${text}/`
}
