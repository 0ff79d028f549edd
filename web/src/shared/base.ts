/** The path below which everything of ours lives, with a slash at both ends: the page's `<base>`. */
export const basePath = new URL('.', document.baseURI).pathname

/** The address of something of ours. `path` is relative to the base, as `api/cameras`. */
export const urlOf = (path: string): URL => new URL(path.replace(/^\/+/, ''), new URL('.', document.baseURI))

/** The same for a WebSocket. */
export function socketUrlOf(path: string): URL {
  const url = urlOf(path)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url
}
