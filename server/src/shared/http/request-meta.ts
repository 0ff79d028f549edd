/** The part of a request that authentication can use. */
export interface RequestMeta {
  /** The address of the socket's peer, as reported by the operating system. */
  readonly peer: string
  /** Whether the socket itself uses TLS. */
  readonly encrypted: boolean
  /**
   * All values of a header, in order; empty if it was not sent.
   *
   * @param name in lower case. A name with `_` or `.` is never requested, and therefore never trusted.
   */
  values(name: string): readonly string[]
}

/** The client in front of the outermost trusted proxy. */
export interface Client {
  /** The originating address. */
  readonly address: string
  /** Whether the browser's own request came over TLS. */
  readonly encrypted: boolean
  /** The same, but false if a trusted proxy in between doesn't report it. */
  readonly knownEncrypted: boolean
  /** Host and port that the browser requested, as in a `Host` header; empty if unknown. */
  readonly host: string
  /** Path prefix of the service, `/` or `/…/`. */
  readonly basePath: string
}

/** A header's only value; undefined if it is absent or sent several times with different values. */
export function onlyValue(meta: Pick<RequestMeta, 'values'>, name: string): string | undefined {
  const [first, ...others] = meta.values(name)
  return others.every((other) => other === first) ? first : undefined
}

export const userAgentOf = (meta: RequestMeta): string => meta.values('user-agent')[0] ?? ''
