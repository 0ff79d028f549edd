/**
 * Data that access decisions depend on has changed. Every invalidation reauthorizes the open streams.
 * Caches are invalidated before any other listener is notified.
 */
export type Invalidation =
  | { readonly kind: 'user'; readonly key: string }
  | { readonly kind: 'session'; readonly id: string }
  /** An API token, a paired screen or a share link. */
  | { readonly kind: 'credential'; readonly id: string }
  /** The active configuration: roles, cameras, proxy. */
  | { readonly kind: 'config' }
  /** An unknown change, for example after a lost connection: everything may have changed. */
  | { readonly kind: 'all' }

/** Above this number, one invalidation of everything is cheaper than one each. */
const max = 100

/** The same invalidations, or one of everything. */
export const bounded = (invalidations: readonly Invalidation[]): readonly Invalidation[] =>
  invalidations.length > max ? [{ kind: 'all' }] : invalidations

/** Kinds of messages on which no access depends: which instance pulls a camera, and which files can be deleted. */
const unrelated: ReadonlySet<unknown> = new Set(['cluster', 'deleted-files'])

/**
 * Parses a message of another instance. An unknown message means that anything may have changed.
 *
 * @returns undefined if the message changes no access
 */
export function parseInvalidation(message: unknown): Invalidation | undefined {
  const { kind, key, id } = (typeof message === 'object' && message !== null ? message : {}) as Record<string, unknown>
  if (unrelated.has(kind)) return undefined
  if (kind === 'user' && typeof key === 'string') return { kind, key }
  if ((kind === 'session' || kind === 'credential') && typeof id === 'string') return { kind, id }
  return kind === 'config' ? { kind } : { kind: 'all' }
}
