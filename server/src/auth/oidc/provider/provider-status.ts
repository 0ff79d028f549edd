import type { Clock } from '../../../shared/time/clock.ts'
import { DiscoveryError, settingAtFault, signInFailure } from './provider-failure.ts'
import type { Provider } from './provider.ts'

/** Status of the identity provider when it was last contacted. */
export interface ProviderStatus {
  readonly state: 'ok' | 'failing' | 'unknown'
  /** Since when it fails, Unix milliseconds. */
  readonly since?: number
  /** The setting that may be wrong. */
  readonly setting?: string
}

export interface WatchedProvider extends Provider {
  status(): ProviderStatus
}

export interface WatchedProviderDeps {
  /** Another issuer is another provider, of which nothing is known. */
  readonly issuer: () => string | null
  readonly clock: Pick<Clock, 'now'>
}

interface Problem {
  readonly since: number
  readonly setting: string | undefined
  readonly isDiscovery: boolean
}

/** Notes whether the provider works, for Settings > System. */
export function watchProvider(provider: Provider, { issuer, clock }: WatchedProviderDeps): WatchedProvider {
  let seen: { readonly issuer: string | null; readonly problem: Problem | undefined } | undefined
  const last = () => (seen?.issuer === issuer() ? seen : undefined)

  const noteFailure = (error: unknown): void => {
    const setting = settingAtFault(error)
    if (setting === undefined && signInFailure(error) === 'denied') return
    const since = last()?.problem?.since ?? clock.now()
    seen = { issuer: issuer(), problem: { since, setting, isDiscovery: error instanceof DiscoveryError } }
  }
  /** @param asks whether the provider has answered; otherwise only its discovery document is known to be usable */
  const watched =
    <Given extends readonly unknown[], Result>(asks: boolean, method: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      try {
        const result = await method(...given)
        if (asks || last()?.problem?.isDiscovery !== false) seen = { issuer: issuer(), problem: undefined }
        return result
      } catch (error) {
        noteFailure(error)
        throw error
      }
    }

  return {
    authorizationUrl: watched(false, provider.authorizationUrl),
    signIn: watched(true, provider.signIn),
    askAgain: watched(true, provider.askAgain),
    signOutUrl: watched(false, provider.signOutUrl),
    readLogoutToken: watched(false, provider.readLogoutToken),
    discover: watched(false, provider.discover),
    status() {
      const known = last()
      if (!known) return { state: 'unknown' }
      const { problem } = known
      if (!problem) return { state: 'ok' }
      return {
        state: 'failing',
        since: problem.since,
        ...(problem.setting !== undefined && { setting: problem.setting }),
      }
    },
  }
}
