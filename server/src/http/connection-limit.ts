import { readFileSync } from 'node:fs'

/** Max connections of one listener, regardless of the file limit, because each also takes memory. */
const maxConnections = 8192

/**
 * Max connections of one listener: a third of the files that the process can open. The rest is left for the other
 * listener, for recordings and for the database, so that no number of clients can stop a recording.
 *
 * @param limits the text of `/proc/self/limits`
 */
export function connectionLimit(limits = limitsOfProcess()): number {
  const [, openFiles] = /^Max open files +(\d+)/m.exec(limits) ?? []
  return openFiles === undefined ? maxConnections : Math.min(maxConnections, Math.floor(Number(openFiles) / 3))
}

function limitsOfProcess(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}
