export interface SecurityHeaderDeps {
  readonly frameAncestors: readonly string[]
  /** Seconds; 0 sends no HSTS header. */
  readonly hstsSeconds: number
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
