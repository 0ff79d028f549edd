/** Knows no `offline_access`, and refuses scopes that it doesn't know. */
const google = 'https://accounts.google.com'

/**
 * The parameters of the authorization request that say what is asked for. Google sends a refresh token for
 * `access_type=offline`, and a second one only after consent was given again.
 */
export function scopeParameters(issuer: string, scopes: readonly string[]): Readonly<Record<string, string>> {
  const requested = new Set(['openid', ...scopes])
  const isOffline = issuer === google && requested.delete('offline_access')
  return { scope: [...requested].join(' '), ...(isOffline && { access_type: 'offline', prompt: 'consent' }) }
}
