import type { Log } from '../../shared/log.ts'
import type { AuthConfig } from '../auth.config.ts'
import { settingAtFault } from './provider-failure.ts'
import type { Provider } from './provider.ts'

/**
 * Warns if the provider's discovery document can't be used (OIDC-5), so that a wrong setting shows when it is made and
 * not at the first sign-in. Nothing waits for it.
 */
export async function warnOfProvider(
  { enabled, oidc: { issuer } }: Pick<AuthConfig, 'enabled' | 'oidc'>,
  provider: Pick<Provider, 'discover'>,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  if (!enabled || issuer === null) return
  try {
    await provider.discover()
  } catch (cause) {
    log.warn({ issuer, err: cause, setting: settingAtFault(cause) }, 'identity provider unavailable')
  }
}
