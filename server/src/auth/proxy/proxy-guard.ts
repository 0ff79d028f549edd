import type { AuthConfig } from '../config/auth.config.ts'
import type { ProxyConfig } from '../config/proxy.config.ts'

interface SignInSections {
  readonly auth: Pick<AuthConfig, 'enabled'>
  readonly proxy: ProxyConfig
}

/** Whether any client that reaches the gate can pose as any user: a proxy signs users in, and nothing identifies it. */
export const isProxyUnguarded = ({ auth, proxy }: SignInSections): boolean =>
  !auth.enabled && proxy.auth_secret === null && proxy.trusted_peers === null

/**
 * A running service always keeps its last proof of the proxy. If a file drops both keys, for example because it is
 * half-written or outdated, they change only at the next startup, which logs a warning.
 */
export function keepProxyGuard<C extends SignInSections>(active: C, next: C): C {
  if (!isProxyUnguarded(next) || isProxyUnguarded(active)) return next
  const { auth_secret, trusted_peers } = active.proxy
  return { ...next, proxy: { ...next.proxy, auth_secret, trusted_peers } }
}
