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
  return {
    add(text) {
      tail = (tail + text).slice(-size)
    },
    matches: (pattern) => pattern.test(tail),
    lines(mask) {
      const lines = tail.split(/[\r\n]+/).filter((line) => line.trim() !== '')
      return lines.slice(-shown.lines).map((line) => printable(mask(line)))
    },
  }
}

const printable = (line: string): string => line.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ').slice(0, shown.length)
