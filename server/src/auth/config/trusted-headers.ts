import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { StartError } from '../../shared/errors.ts'
import { readFailure } from '../../shared/files/read-failure.ts'
import { startStatus } from '../../shared/files/start-status.ts'

/** The headers that can contain an identity (PROXY-9, PROXY-10). */
export interface TrustedHeaders {
  /** Lower case, in the order of the file. */
  readonly names: ReadonlySet<string>
  readonly file: string
}

/** The list shipped with the service. */
const shippedList = resolve(import.meta.dirname, '../../../trusted_headers.conf')

/** Headers with secrets, or of the connection. As a username, they would appear in responses and logs. */
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
 * Reads the list: one name per line, `#` starts a comment.
 *
 * @throws StartError if the list can't be read or contains invalid names, with all such lines.
 */
export async function readTrustedHeaders(env: Readonly<Record<string, string | undefined>>): Promise<TrustedHeaders> {
  const file = resolve(env['TRUSTED_HEADERS_FILE'] || shippedList)
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    const message = `Couldn't read the list of trusted headers ${file} (${readFailure(file, cause)}).`
    throw new StartError(message, { status: startStatus(cause), cause })
  })
  // `trim` removes a byte order mark, too.
  const lines = text.split(/\r?\n/).map((line) => line.replace(/#.*/s, '').trim().toLowerCase())
  const problems = lines.flatMap((name, index) => {
    const problem = name === '' ? undefined : headerProblem(name)
    return problem === undefined ? [] : [`${file}:${index + 1} ${JSON.stringify(name.slice(0, 64))} ${problem}`]
  })
  if (problems.length > 0) throw new StartError(problems.join('\n'))
  return { names: new Set(lines.filter((name) => name !== '')), file }
}

function headerProblem(name: string): string | undefined {
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return 'is not a header name'
  // Some servers read `x_user` as `x-user`, so such headers are dropped before they are read (PROXY-15).
  if (/[_.]/.test(name)) return 'contains `_` or `.`, and such headers are never trusted'
  return never.has(name) ? 'is not an identity header and cannot be trusted as one' : undefined
}
