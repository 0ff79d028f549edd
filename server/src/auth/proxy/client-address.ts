import { trimmed } from '../../shared/http/header-value.ts'
import { onlyValue, type Client, type RequestMeta } from '../../shared/http/request-meta.ts'
import type { ProxyConfig } from '../config/proxy.config.ts'
import { networksFrom, plainAddress, type InNetworks } from '../../shared/http/networks.ts'

export interface ClientResolverDeps {
  /** The current `auth.trusted_proxies`. Reparsed only when a different array is returned. */
  readonly trustedProxies: () => readonly string[]
  /** The current `proxy.prefix_header`. */
  readonly prefixHeader: () => ProxyConfig['prefix_header']
  /** `http.base_path`, `/` or `/…/`. */
  readonly basePath: string
}

/** Resolves a request's client: the peer of the socket or, behind trusted proxies, the client they forward for. */
export function createClientResolver({
  trustedProxies,
  prefixHeader,
  basePath,
}: ClientResolverDeps): (meta: RequestMeta) => Client {
  let entries: readonly string[] | undefined
  let trusted = networksFrom([])
  return (meta) => {
    const active = trustedProxies()
    if (active !== entries) {
      trusted = networksFrom(active)
      entries = active
    }
    return new ClientBeforeProxies(meta, trusted, prefixHeader(), basePath)
  }
}

/** Computes values on first use, because most requests never need them. */
class ClientBeforeProxies implements Client {
  readonly #meta: RequestMeta
  readonly #trusted: InNetworks
  readonly #prefixHeader: string
  readonly #configuredBasePath: string
  #address: string | undefined
  #viaProxy: boolean | undefined

  constructor(meta: RequestMeta, trusted: InNetworks, prefixHeader: string, basePath: string) {
    this.#meta = meta
    this.#trusted = trusted
    this.#prefixHeader = prefixHeader
    this.#configuredBasePath = basePath
  }

  get address(): string {
    this.#address ??= this.#isViaProxy
      ? originatingAddress(this.#meta, this.#trusted)
      : (plainAddress(this.#meta.peer) ?? this.#meta.peer)
    return this.#address
  }

  get encrypted(): boolean {
    return this.#forwardedEncrypted ?? this.#meta.encrypted
  }

  get knownEncrypted(): boolean {
    return this.#isViaProxy ? this.#forwardedEncrypted === true : this.#meta.encrypted
  }

  get host(): string {
    const host = hostFrom(this.#forwarded('x-forwarded-host')) ?? hostFrom(onlyValue(this.#meta, 'host')) ?? ''
    const port = this.#forwarded('x-forwarded-port')
    const lacksPort = host !== '' && !host.slice(host.lastIndexOf(']') + 1).includes(':')
    return lacksPort && port !== undefined && /^\d{1,5}$/.test(port) ? `${host}:${port}` : host
  }

  get basePath(): string {
    return prefixFrom(this.#forwarded(this.#prefixHeader)) ?? this.#configuredBasePath
  }

  /** undefined if no trusted proxy sent `X-Forwarded-Proto`. */
  get #forwardedEncrypted(): boolean | undefined {
    const scheme = this.#forwarded('x-forwarded-proto')?.toLowerCase() ?? ''
    if (/^(?:http|ws)s$/.test(scheme)) return true
    return scheme === 'http' || scheme === 'ws' ? false : undefined
  }

  get #isViaProxy(): boolean {
    return (this.#viaProxy ??= this.#trusted(this.#meta.peer))
  }

  /** The value written by the nearest proxy; undefined if the peer is not a trusted proxy. */
  #forwarded(name: string): string | undefined {
    if (!this.#isViaProxy) return undefined
    // Proxies append to a list, so earlier values may come from the client.
    const line = this.#meta.values(name).at(-1)
    return line === undefined ? undefined : trimmed(line.slice(line.lastIndexOf(',') + 1))
  }
}

/** Max entries of `X-Forwarded-For` that are read. */
const maxHops = 64

/** RATE-6: `X-Forwarded-For` from the right, to the first address that is not a trusted proxy. */
function originatingAddress(meta: RequestMeta, trusted: InNetworks): string {
  let lastGood = plainAddress(meta.peer) ?? meta.peer
  let hops = 0
  for (const line of meta.values('x-forwarded-for').toReversed()) {
    for (let end = line.length; end >= 0;) {
      const comma = line.lastIndexOf(',', end - 1)
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
  // The longest address has 45 characters, plus a zone and a port.
  if (entry.length > 100) return undefined
  const bracketed = /^\[([^\]]*:[^\]]*)\](?::\d{1,5})?$/.exec(entry)
  return plainAddress(bracketed?.[1] ?? entry.replace(/^([\d.]+):\d{1,5}$/, '$1'))
}

const hostFrom = (text: string | undefined): string | undefined =>
  text !== undefined && text.length <= 261 && /^(?:[\w.~-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/.test(text)
    ? text
    : undefined

/** Normalizes `/gate` to `/gate/`. The value is used in pages, redirects and cookies, so only plain characters are allowed. */
function prefixFrom(text: string | undefined): string | undefined {
  if (text === undefined || text.length > 256) return undefined
  if (text === '/') return '/'
  if (!/^(?:\/[\w.~-]+)+\/?$/.test(text)) return undefined
  if (text.split('/').some((segment) => segment === '.' || segment === '..')) return undefined
  return text.endsWith('/') ? text : `${text}/`
}
