import type { Config } from './config.ts'

/** Whether anyone who reaches the gate can be any user: a proxy signs users in, and nothing says which proxy. */
export const isProxyUnguarded = ({ auth, proxy }: Config): boolean =>
  !auth.enabled && proxy.auth_secret === null && proxy.trusted_peers === null

/**
 * A running service never loses the last thing that tells its proxy from a client. A file that drops both keys, as one
 * that is half-written or older may, changes them only at the next start, which warns.
 */
export function keepProxyGuard(active: Config, next: Config): Config {
  if (!isProxyUnguarded(next) || isProxyUnguarded(active)) return next
  const { auth_secret, trusted_peers } = active.proxy
  return { ...next, proxy: { ...next.proxy, auth_secret, trusted_peers } }
}
