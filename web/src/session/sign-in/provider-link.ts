import type { LoginMethods } from '../../../../server/src/api-types.ts'

/** The identity provider that users can sign in with. */
export type Provider = NonNullable<LoginMethods['oidc']>

/**
 * Where a sign-in with the identity provider begins.
 *
 * @param page the page to open afterward, with the base path: see `returnPath`
 * @returns a path with query
 */
export function providerLink({ login_url }: Pick<Provider, 'login_url'>, page: string, basePath: string): string {
  const returnTo = `/${page.slice(basePath.length)}`
  return returnTo === '/' ? login_url : `${login_url}?${new URLSearchParams({ return_to: returnTo }).toString()}`
}
