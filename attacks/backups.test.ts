/** Backups that someone else has made or changed: a restore takes nothing from them that no backup has, and changes nothing if it refuses. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { restore } from '../server/src/backup/restore.ts'
import { backUp, fileIn, restoring } from '../server/test/support/back-up.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { foldersOf, gatehouseHere } from '../server/test/support/command.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'

let service: InProcessService
/** Of an honest backup, without its end. */
let honest: readonly string[]
beforeAll(async () => {
  service = await startService({ config: { tls: { enabled: false } } })
  await service.user('ann')
  await backUp(service, 'sqlite')
  await service.stop()
  honest = gunzipSync(readFileSync(fileIn(service)))
    .toString()
    .trimEnd()
    .split('\n')
    .slice(0, -1)
})
afterAll(stopAll)

/** Writes a backup whose checksum is right. */
function forge(lines: readonly string[]): void {
  const text = lines.map((line) => `${line}\n`).join('')
  const end = JSON.stringify({ lines: lines.length, sha256: createHash('sha256').update(text).digest('hex') })
  writeFileSync(fileIn(service), gzipSync(`${text}${end}\n`))
}

const adding = (...records: readonly object[]): void =>
  forge([...honest, ...records.map((record) => JSON.stringify(record))])

/** Every file, with its mode and content. */
const state = (): unknown[] =>
  readdirSync(service.dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'backup.gz')
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [path, statSync(path).mode, readFileSync(path).toString('base64')]
    })

const file = (path: string, mode = 0o600) => ({ file: path, mode, base64: Buffer.from('planted').toString('base64') })
const rows = (table: string, columns: readonly string[], ...values: readonly unknown[][]) => ({
  table,
  columns,
  rows: values,
})

describe('[OPS-1] a restore refuses a backup, and changes nothing, that has', () => {
  test.each<[source: string, what: string, record: object, message: RegExp]>([
    ['CWE-22', 'a file above the folder', file('../planted'), /a file that no backup has/],
    ['CWE-22', 'a file above the folder of certificates', file('tls/../../planted'), /a file that no backup has/],
    ['CWE-22', 'the folder itself as a file', file('tls/..'), /a file that no backup has/],
    ['CWE-22', 'the folder of certificates as a file', file('tls/.'), /a file that no backup has/],
    ['CWE-22', 'an absolute path', file('/tmp/planted'), /a file that no backup has/],
    ['CWE-22', 'a path with a backslash', file(String.raw`tls\..\planted`), /a file that no backup has/],
    ['CWE-158', 'a path with a NUL', file('tls/a\0b'), /a file that no backup has/],
    ['CWE-73', 'the state of a restore', file('.restore/state.json'), /a file that no backup has/],
    ['CWE-73', 'a database of its own', file('gatehouse.db'), /a file that no backup has/],
    ['CWE-89', 'SQL as the name of a table', rows('user"; drop table user; --', ['id'], ['x']), /damaged/],
    ['CWE-89', 'SQL as the name of a column', rows('user', ['id") values (1); --'], ['x']), /damaged/],
    [
      'CWE-913',
      'a view or trigger, in the schema of SQLite',
      rows('sqlite_master', ['type', 'sql'], ['trigger', 'x']),
      /doesn't have/,
    ],
    ['CWE-913', 'a schema by its other name', rows('sqlite_schema', ['type', 'sql'], ['view', 'x']), /doesn't have/],
    ['CWE-20', 'an unknown table', rows('nothing', ['id'], ['x']), /doesn't have/],
    ['CWE-20', 'an unknown column', rows('user', ['nothing'], ['x']), /doesn't have/],
    ['CWE-20', 'rows without columns', rows('user', [], []), /damaged/],
    ['CWE-20', 'a row with too few values', rows('user', ['id', 'name'], ['x']), /damaged/],
    ['CWE-20', 'a value that is an object', rows('user', ['id'], [{}]), /damaged/],
    ['CWE-20', 'a user without a role', rows('user', ['id', 'name', 'key'], ['x', 'x', 'x']), /doesn't accept/],
    ['CWE-694', 'the same row twice', rows('meta', ['key', 'value'], ['a', '1'], ['a', '2']), /doesn't accept/],
  ])('%s: %s', async (_source, _what, record, message) => {
    adding(record)
    const before = state()
    const { status, output, errors } = await gatehouseHere(['restore', fileIn(service)], { env: foldersOf(service) })
    expect([status, output]).toEqual([1, ''])
    expect(errors).toMatch(message)
    expect(errors).toMatch(/^[^\n]*\n$/)
    expect(state()).toEqual(before)
  })

  test('CWE-409: a line that unpacks to more than any record has', async () => {
    const blank = Buffer.alloc(8 << 20, ' ')
    const bomb = gzipSync(Buffer.concat(Array.from({ length: 17 }, () => blank)), { level: 1 })
    writeFileSync(fileIn(service), Buffer.concat([gzipSync(`${honest[0]}\n`), bomb]))
    const before = state()
    // A blank line isn't JSON either: only the cause shows which check rejected it.
    const cause = new RangeError('The line is too long.')
    await expect(restore(restoring(service))).rejects.toThrow(
      expect.objectContaining({ message: expect.stringMatching(/damaged/), cause }),
    )
    expect(state()).toEqual(before)
  })
})

test('[OPS-1] CWE-732: no file that was restored is readable by others, or has a special mode', async () => {
  adding(file('tls/planted.key', 0o7777))
  await restore(restoring(service))
  expect(statSync(join(service.configDir, 'tls/planted.key')).mode & 0o7077).toBe(0)
})

test('[OPS-1] CWE-59: a link in place of a file is replaced, not followed', async () => {
  const { symlinkSync, rmSync } = process.getBuiltinModule('node:fs')
  const outside = join(service.dir, 'outside')
  writeFileSync(outside, 'untouched')
  mkdirSync(join(service.configDir, 'tls'), { recursive: true })
  const link = join(service.configDir, 'tls', 'linked.key')
  rmSync(link, { force: true })
  symlinkSync(outside, link)
  adding(file('tls/linked.key'))
  await restore(restoring(service))
  expect([readFileSync(outside, 'utf8'), readFileSync(link, 'utf8')]).toEqual(['untouched', 'planted'])
})

/** The backup with another first line. */
const head = (changed: object) => [
  JSON.stringify({ ...(JSON.parse(honest[0]!) as object), ...changed }),
  ...honest.slice(1),
]

describe('[OPS-1] CWE-150: the command writes nothing to the terminal but text, also of a backup with', () => {
  const escape = '\u001b]0;owned\u0007\u009b2J\u202e'
  test.each<[what: string, lines: () => readonly string[], message: RegExp]>([
    ['controls in its version', () => head({ version: `1${escape}` }), /damaged/],
    ['controls in its time', () => head({ created_at: `now${escape}` }), /damaged/],
    ['controls in the name of a file', () => [...honest, JSON.stringify(file(`tls/a${escape}`))], /no backup has/],
    ['a later migration and controls', () => head({ version: escape, migrations: ['9999-later'] }), /damaged/],
  ])('%s', async (_what, lines, message) => {
    forge(lines())
    const { status, output, errors } = await gatehouseHere(['restore', fileIn(service)], { env: foldersOf(service) })
    expect([status, output]).toEqual([1, ''])
    expect(errors).toMatch(message)
    expect(errors.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
  })
})

/** A server that asks every PostgreSQL client for its password. @returns its port, and everything that it received */
async function thief(): Promise<{ readonly port: number; readonly received: () => string }> {
  let received = ''
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      // A password.
      if (chunk[0] === 0x70) socket.destroy()
    })
    // AuthenticationCleartextPassword
    socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]))
  })
  server.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, received: () => received }
}

/** The backup with another config.yml. */
const configured = (text: string): void =>
  adding({ file: 'config.yml', mode: 0o600, base64: Buffer.from(text).toString('base64') })

describe('[OPS-1] [SEC-5] CWE-522: a restore sends this machine’s password to no host that only the backup names', () => {
  const secret = 'secret-of-this-machine'
  const placeholder = '{SERVICE_DATABASE_PASSWORD}'
  const address = (port: number, password = `:${placeholder}`) => `postgres://gatehouse${password}@127.0.0.1:${port}/x`
  const run = (...words: readonly string[]) =>
    gatehouseHere(['restore', fileIn(service), ...words], {
      env: { ...foldersOf(service), SERVICE_DATABASE_PASSWORD: secret },
    })

  test.each<[what: string, config: (port: number) => string, own: ((port: number) => string) | undefined]>([
    ['with a placeholder', (port) => `database: { url: '${address(port)}' }`, undefined],
    ['with controls in it', () => String.raw`database: { url: "postgres://a@h\e0;\u202e\x9b2J/x" }`, undefined],
    ['with a password of its own', (port) => `database: { url: '${address(port, ':of-the-backup')}' }`, undefined],
    ['without a password', (port) => `database: { url: '${address(port, '')}' }`, undefined],
    [
      'while config.yml names another one',
      (port) => `database: { url: '${address(port)}' }`,
      () => `database: { url: '${address(1)}' }`,
    ],
    [
      'by a parameter of the URL that config.yml names',
      (port) => `database: { url: '${address(1)}?host=127.0.0.1&port=${port}' }`,
      () => `database: { url: '${address(1)}' }`,
    ],
  ])('%s', async (_what, config, own) => {
    const { port, received } = await thief()
    const former = readFileSync(service.configFile)
    if (own) writeFileSync(service.configFile, own(port))
    onTestFinished(() => writeFileSync(service.configFile, former))
    configured(config(port))
    const before = state()
    const { status, output, errors } = await run()
    expect([received(), status, output]).toEqual(['', 64, ''])
    expect(errors).toMatch(/^The backup is of the database [\x20-\x7e]* Add --database-url [\x20-\x7e]*\n$/)
    expect(errors).not.toContain('of-the-backup')
    expect(state()).toEqual(before)
  })

  test.each<[what: string, own: (port: number) => string, problem: string]>([
    ['is invalid', (port) => `database: { url: '${address(port)}' }\ntls: { enabled: maybe }`, '2:17 tls.enabled: '],
    ['is not YAML', (port) => `database: { url: '${address(port)}' }\ncameras: [`, '2:11 '],
    [
      'has a placeholder without a value',
      (port) => `database: { url: '${address(port, ':{SERVICE_DATABASE_OTHER}')}' }`,
      '1:18 database.url: ',
    ],
  ])(
    'not while config.yml, which %s, can’t say that it is the one; the error says where',
    async (_what, own, problem) => {
      const { port, received } = await thief()
      const former = readFileSync(service.configFile)
      onTestFinished(() => writeFileSync(service.configFile, former))
      configured(`database: { url: '${address(port)}' }`)
      writeFileSync(service.configFile, own(port))
      const { status, errors } = await run()
      expect([received(), status]).toEqual(['', 78])
      const [first, last] = errors.trimEnd().split('\n')
      expect(first).toContain(`${service.configFile}:${problem}`)
      expect(last).toMatch(/^The backup is of the database [\x20-\x7e]* can't be told [\x20-\x7e]* add --database-url /)
    },
  )

  test('but to the one that config.yml or the caller names', async () => {
    const { port, received } = await thief()
    const former = readFileSync(service.configFile)
    onTestFinished(() => writeFileSync(service.configFile, former))
    configured(`database: { url: '${address(port)}' }`)
    expect((await run('--database-url', address(port))).status).toBe(69)
    expect(received()).toContain(secret)
    writeFileSync(service.configFile, `database: { url: '${address(port)}' }`)
    expect((await run()).status).toBe(69)
    expect(received().split(secret)).toHaveLength(3)
  })
})
