import type { Log } from '../../shared/log.ts'
import type { AuthConfig } from '../config/auth.config.ts'
import { settingAtFault } from './provider/provider-failure.ts'
import type { Provider } from './provider/provider.ts'

/** Providers where anyone can have an account: Apple, GitLab, Google, and Microsoft for personal accounts. */
const publicProviders: ReadonlySet<string> = new Set([
  'https://appleid.apple.com',
  'https://gitlab.com',
  'https://accounts.google.com',
  'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
])

/**
 * Warns if the provider's discovery document can't be used (OIDC-5), so that a wrong setting shows when it is made and
 * not at the first sign-in; and if a default role lets everyone in. Nothing waits for it.
 */
export async function warnAboutProvider(
  { enabled, oidc: { issuer, default_role } }: WarnedSettings,
  provider: Pick<Provider, 'discover'>,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  if (!enabled || issuer === null) return
  if (default_role !== null && publicProviders.has(issuer)) {
    log.warn(
      {
        issuer,
        role: default_role,
        setting: 'auth.oidc.default_role',
        hint: 'unset it, unless the identity provider limits who can use Gatehouse',
      },
      'everyone with an account at the identity provider gets the default role',
    )
  }
  try {
    await provider.discover()
  } catch (cause) {
    log.warn({ issuer, err: cause, setting: settingAtFault(cause) }, 'identity provider unavailable')
  }
}

type WarnedSettings = Pick<AuthConfig, 'enabled'> & {
  readonly oidc: Pick<AuthConfig['oidc'], 'issuer' | 'default_role'>
}
