/** Exact first bytes of an HLS playlist. */
export const playlistMark = '#EXTM3U'

/**
 * Replaces every link of an HLS playlist.
 *
 * @param base URL of the playlist.
 * @param linkFor returns the new link; a link that is not a URL is dropped with its line.
 */
export function replaceLinks(playlist: string, base: URL, linkFor: (url: URL) => string): string {
  const replaced = (link: string): string | undefined => {
    const url = URL.parse(link, base.href)
    return url ? linkFor(url) : undefined
  }
  return playlist
    .split(/\r?\n/)
    .map((line) => {
      if (line.trim() === '') return line
      if (!line.startsWith('#')) return replaced(line.trim()) ?? ''
      return line.replaceAll(
        /([,:]\s*)URI=(?:"([^"]*)"|([^\s,"]+))/g,
        (_whole, before: string, quoted: string | undefined, bare: string | undefined) =>
          `${before}URI="${replaced(quoted ?? bare ?? '') ?? ''}"`,
      )
    })
    .join('\n')
}
