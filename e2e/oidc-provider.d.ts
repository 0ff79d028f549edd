/** The parts of `oidc-provider` that the tests use. Its own types are a package with forty others. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  interface Client {
    readonly client_id: string
    readonly client_secret: string
    readonly redirect_uris: readonly string[]
    readonly post_logout_redirect_uris: readonly string[]
  }

  interface Account {
    readonly accountId: string
    claims(): { readonly sub: string } & Readonly<Record<string, unknown>>
  }

  interface Configuration {
    readonly clients: readonly Client[]
    /** Claims by scope. */
    readonly claims: Readonly<Record<string, readonly string[]>>
    readonly cookies: { readonly keys: readonly string[] }
    readonly pkce: { readonly required: () => boolean }
    findAccount(context: unknown, id: string): Account | undefined
  }

  export class Provider {
    constructor(issuer: string, configuration: Configuration)
    callback(): RequestListener
  }
}
