/** The path below which the app lives, with a slash at both ends: the page's `<base>`. */
export const basePath = new URL('.', document.baseURI).pathname

/** The URL of a path in the app. `path` is relative to the base, for example `api/cameras`. */
export const urlOf = (path: string): URL => new URL(path.replace(/^\/+/, ''), new URL('.', document.baseURI))

/** The same with `ws:` or `wss:`. */
export function socketUrlOf(path: string): URL {
  const url = urlOf(path)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url
}
