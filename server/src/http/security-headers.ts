export interface SecurityHeaderDeps {
  readonly frameAncestors: readonly string[]
  /** Seconds; 0 sends no HSTS header. */
  readonly hstsSeconds: number
}

/** A year, seconds. */
const hstsByDefault = 31_536_000

/**
 * Seconds of HSTS: what is configured or, with a certificate that browsers trust, a year. 0 without TLS, and with the
 * service's own certificate: a browser that insists on HTTPS doesn't let its user accept that.
 *
 * @param certificate undefined: TLS is disabled
 */
export function hstsSeconds(configured: number | null, certificate: 'configured' | 'own' | undefined): number {
  if (certificate === undefined) return 0
  return configured ?? (certificate === 'own' ? 0 : hstsByDefault)
}

/** Headers of every response, created once. */
export function securityHeaders({ frameAncestors, hstsSeconds }: SecurityHeaderDeps): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'self'",
    "script-src 'self'",
    // The component library injects inline styles.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    `frame-ancestors ${frameAncestors.length > 0 ? frameAncestors.join(' ') : "'none'"}`,
  ]
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    ...(hstsSeconds > 0 && { 'strict-transport-security': `max-age=${hstsSeconds}` }),
  }
}
