/** The parts of `oidc-provider` that the tests use. Its own types are a package with forty others. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  export interface Client {
    readonly client_id: string
    readonly client_secret: string
    readonly redirect_uris: readonly string[]
    readonly post_logout_redirect_uris: readonly string[]
    readonly token_endpoint_auth_method?: string
    /** Whether and how the userinfo response is signed. */
    readonly userinfo_signed_response_alg?: string
    readonly grant_types?: readonly string[]
    readonly backchannel_logout_uri?: string
    readonly backchannel_logout_session_required?: boolean
  }

  interface Account {
    readonly accountId: string
    claims(): { readonly sub: string } & Readonly<Record<string, unknown>>
  }

  interface Configuration {
    readonly clients: readonly Client[]
    /** Private keys that sign its tokens. */
    readonly jwks?: { readonly keys: readonly object[] }
    /** Claims by scope. */
    readonly claims: Readonly<Record<string, readonly string[]>>
    readonly cookies: { readonly keys: readonly string[] }
    readonly pkce: { readonly required: () => boolean }
    readonly clientAuthMethods?: readonly string[]
    readonly features?: Readonly<Record<'backchannelLogout' | 'jwtUserinfo', { readonly enabled: boolean }>>
    readonly issueRefreshToken?: () => Promise<boolean>
    findAccount(context: unknown, id: string): Account | undefined
  }

  export class Provider {
    constructor(issuer: string, configuration: Configuration)
    /** A client got tokens. */
    on(event: 'grant.success', listener: (context: { readonly body: { readonly id_token?: string } }) => void): void
    callback(): RequestListener
  }
}
