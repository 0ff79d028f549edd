/** Characters that are retained. */
const size = 8192

/** Lines that are shown, and characters of each. */
const shown = { lines: 20, length: 500 }

/** The end of what a child wrote to its error output. */
export interface StderrTail {
  add(text: string): void
  matches(pattern: RegExp): boolean
  /** The last lines, oldest first, without what a terminal would interpret. @param mask removes secrets from a line */
  lines(mask: (line: string) => string): string[]
}

export function createStderrTail(): StderrTail {
  let tail = ''
  /** Whether the beginning of the first line is lost. */
  let isCut = false
  return {
    add(text) {
      const all = tail + text
      isCut ||= all.length > size
      tail = all.slice(-size)
    },
    matches: (pattern) => pattern.test(tail),
    lines(mask) {
      // The mask doesn't recognize the rest of a secret.
      const lines = (isCut ? tail.replace(/^[^\r\n]*/, '') : tail).split(/[\r\n]+/).filter((line) => line.trim() !== '')
      return lines.slice(-shown.lines).map((line) => printable(mask(line)))
    },
  }
}

const printable = (line: string): string => line.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ').slice(0, shown.length)
