import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { StartError } from '../../shared/errors.ts'

/** The headers that may carry an identity (PROXY-9, PROXY-10). */
export interface TrustedHeaders {
  /** In lower case, in the order of the file. */
  readonly names: ReadonlySet<string>
  readonly file: string
}

/** The list that comes with the service. */
const shippedList = resolve(import.meta.dirname, '../../../trusted_headers.conf')

/** They carry secrets or belong to the connection; believed as a name, they would end in answers and logs. */
const never = new Set([
  'authorization',
  'cookie',
  'connection',
  'host',
  'proxy-authorization',
  'set-cookie',
  'x-proxy-secret',
])

/**
 * Reads the list: one name a line, `#` before a comment.
 *
 * @throws StartError for a list that cannot be read, or that names what can be no identity header; all such lines at once.
 */
export async function readTrustedHeaders(env: Readonly<Record<string, string | undefined>>): Promise<TrustedHeaders> {
  const file = resolve(env['TRUSTED_HEADERS_FILE'] || shippedList)
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new StartError(`The list of trusted headers ${file} cannot be read: ${cause.code ?? cause.message}`, {
      cause,
    })
  })
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line) => line.replace(/#.*$/, '').trim().toLowerCase())
  const problems = lines.flatMap((name, index) => {
    const why = name === '' ? undefined : headerProblem(name)
    return why === undefined ? [] : [`${file}:${index + 1} ${JSON.stringify(name.slice(0, 64))} ${why}`]
  })
  if (problems.length > 0) throw new StartError(problems.join('\n'))
  return { names: new Set(lines.filter((name) => name !== '')), file }
}

function headerProblem(name: string): string | undefined {
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return 'is no name of a header'
  // Servers read `x_user` as `x-user`: such twins are dropped before anything reads them (PROXY-15).
  if (/[_.]/.test(name)) return 'has `_` or `.` in it, and such headers are never believed'
  return never.has(name) ? 'carries no identity and cannot be trusted as one' : undefined
}
