/**
 * PATH-1: a path is decoded once, by the router. A path that two programs could interpret differently is not safe.
 *
 * @param url the request target as it was sent.
 */
export function isSafePath(url: string): boolean {
  const path = pathOf(url)
  // Nearly every path matches this.
  if (/^(?:\/[A-Za-z0-9_-]+)+$/.test(path) || path === '/') return true
  if (!path.startsWith('/') || /[\\#\u0000-\u0020\u007f]|%(?:2f|5c|00)/i.test(path)) return false
  const segments = path.slice(1).split('/')
  return segments.every((segment, index) => {
    if (segment === '' && index < segments.length - 1) return false
    const decoded = decodedOnce(segment)
    return decoded !== undefined && decoded !== '.' && decoded !== '..'
  })
}

function decodedOnce(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/** The path of a request target, without its query. */
export function pathOf(url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

/**
 * Whether unauthenticated callers get 401 for this path, even if no such route exists (ERR-2).
 *
 * @param path a safe path, percent-encoded or not: the router decodes `/%61pi` to `/api`.
 */
export function isApiPath(path: string): boolean {
  const name = path.includes('%') ? decodedOnce(path) : path
  // A path that can't be decoded counts as an API path.
  if (name === undefined) return true
  return name === '/api' || name.startsWith('/api/') || name === '/auth' || name === '/logout'
}

/**
 * Removes the base path from a request target. Other targets stay unchanged, for proxies that already removed it.
 *
 * @param basePath `/` or `/…/`.
 */
export function withoutBasePath(url: string, basePath: string): string {
  if (basePath === '/') return url
  if (url.startsWith(basePath)) return url.slice(basePath.length - 1)
  const bare = basePath.slice(0, -1)
  return pathOf(url) === bare ? `/${url.slice(bare.length)}` : url
}
