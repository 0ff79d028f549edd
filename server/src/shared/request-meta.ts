/** What of a request an identity may come from. */
export interface RequestMeta {
  /** The address of the socket's other end, as the operating system gives it. */
  readonly peer: string
  /** True where the socket itself speaks TLS. */
  readonly encrypted: boolean
  /**
   * Every value sent under a header name, in order; none where it was not sent.
   *
   * @param name in lower case. A name with `_` or `.` is never asked for, and so never believed.
   */
  values(name: string): readonly string[]
}

/** The client as it stands before the outermost trusted proxy. */
export interface Client {
  /** The originating address. */
  readonly address: string
  /** Whether the browser's own request came over TLS. */
  readonly encrypted: boolean
  /** The same, but false where a trusted proxy stands between and does not say. */
  readonly knownEncrypted: boolean
  /** Host and port that the browser asked for, as in a `Host` header; empty where unknown. */
  readonly host: string
  /** Path below which the service appears, `/` or `/…/`. */
  readonly basePath: string
}

export const userAgentOf = (meta: RequestMeta): string => meta.values('user-agent')[0] ?? ''
