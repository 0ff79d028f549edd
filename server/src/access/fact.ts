/**
 * Something that decisions rest on has changed, and holds from now on. Open streams are decided again at every one.
 * Names say which; a listener that keeps copies drops the copy before anybody else hears of it.
 */
export type Fact =
  | { readonly kind: 'user'; readonly key: string }
  | { readonly kind: 'session'; readonly id: string }
  /** The configuration in force: roles, cameras, proxy. */
  | { readonly kind: 'config' }
  /** A change of which we do not know what it was, as after a lost connection: everything may have changed. */
  | { readonly kind: 'anything' }
