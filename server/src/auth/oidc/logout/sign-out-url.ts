import type { Log } from '../../../shared/log.ts'
import type { SignOutUrl } from '../../password/login.routes.ts'
import type { SecretBox } from '../../secret-box.ts'
import { originOf } from '../origin.ts'
import type { Provider } from '../provider/provider.ts'

export interface SignOutUrlDeps {
  readonly provider: Pick<Provider, 'signOutUrl'>
  readonly box: SecretBox
  readonly log: Log
}

export const createSignOutUrl =
  ({ provider, box, log }: SignOutUrlDeps): SignOutUrl =>
  async ({ provider: kept, userId }, client) => {
    const idToken = kept ? box.open(kept.idToken, userId) : undefined
    if (idToken === undefined || idToken === '') return undefined
    try {
      return (await provider.signOutUrl(idToken, `${originOf(client)}${client.basePath}login`))?.href
    } catch (cause) {
      log.warn({ err: cause }, 'identity provider unavailable: signed out here only')
      return undefined
    }
  }
