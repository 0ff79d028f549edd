/**
 * Something that decisions rest on has changed, and holds from now on. Open streams are decided again at every one.
 * Names say which; a listener that keeps copies drops the copy before anybody else hears of it.
 */
export type Invalidation =
  | { readonly kind: 'user'; readonly key: string }
  | { readonly kind: 'session'; readonly id: string }
  /** The configuration in force: roles, cameras, proxy. */
  | { readonly kind: 'config' }
  /** A change of which we do not know what it was, as after a lost connection: everything may have changed. */
  | { readonly kind: 'anything' }

/** A fact as another instance told it; what cannot be read as one may be anything. */
export function factFrom(invalidation: unknown): Invalidation {
  const { kind, key, id } = (typeof invalidation === 'object' && invalidation !== null ? invalidation : {}) as Record<
    string,
    unknown
  >
  if (kind === 'user' && typeof key === 'string') return { kind, key }
  if (kind === 'session' && typeof id === 'string') return { kind, id }
  return kind === 'config' ? { kind } : { kind: 'anything' }
}
