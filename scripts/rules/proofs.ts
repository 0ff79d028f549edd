/** A file of this repository, or the title of a test in the file before it. */
const mention = /`((?:server|web|attacks|e2e|scripts)\/[\w./-]+\.\w+)`|“([^”]+)”/g

/**
 * Checks what a page names as proof: `server/test/x.test.ts` “title”, “another title in it”.
 *
 * @param read the text of a file; undefined if there is none
 * @returns the files and titles that don't exist
 */
export function missingProofs(page: string, read: (file: string) => string | undefined): string[] {
  return page.split('\n').flatMap((line) => {
    let file = ''
    return [...line.matchAll(mention)].flatMap(([, path, title]) => {
      if (path !== undefined) {
        file = path
        return read(path) === undefined ? [path] : []
      }
      return title === undefined || (file !== '' && hasTitle(read(file) ?? '', title)) ? [] : [`${file} “${title}”`]
    })
  })
}

/** A title is a whole string; a skipped test proves nothing. */
const hasTitle = (source: string, title: string): boolean =>
  ["'", '"', '`'].some((quote) => {
    const at = source.indexOf(quote + title + quote)
    return at >= 0 && !/\.(?:skip|todo)\(\s*$/.test(source.slice(0, at))
  })
