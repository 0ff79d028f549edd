import type { Log } from '../shared/log.ts'
import type { Config } from './config.ts'

/** What a configuration may say, and should be said with open eyes. */
export function warnOfOpenDoors({ networking, auth, proxy }: Config, log: Pick<Log, 'warn'>): void {
  const { host, port } = networking.internal
  if (!/^(?:127\.|::1$|localhost$)/.test(host)) {
    log.warn({ host, port }, 'the inside port answers everybody who reaches it as an admin, without a login: guard it')
  }
  if (!auth.enabled && proxy.auth_secret === null && proxy.trusted_peers === null) {
    log.warn(
      {},
      'a proxy authenticates, and whoever reaches the gate can pass for it: set proxy.auth_secret or proxy.trusted_peers',
    )
  }
}
