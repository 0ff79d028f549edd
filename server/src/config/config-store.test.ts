import { appendFileSync, existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { advanceUntil, createTestClock, type TestClock } from '../../test/support/test-clock.ts'
import { systemClock } from '../shared/time/clock.ts'
import { ServiceError } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import { configFormat } from '../app/config/load-config.ts'
import { createRoleEditor } from '../users/roles/role-editor.ts'
import type { Config } from '../app/config/config.ts'
import { openConfigStore, type ConfigStore } from './config-store.ts'
import { isWhole } from './load.ts'
import type { ConfigSource, SourceWatcher } from './source/config-source.ts'
import { openFileSource } from './source/file-source.ts'
import { silent } from '../../test/support/null-log.ts'
import { wait } from '../../test/support/wait.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'

vi.mock('node:fs/promises', { spy: true })

interface Line {
  readonly level: string
  readonly fields: object
  readonly message: string
}

const opened: ConfigStore<Config>[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((file) => file.stop()))
})

const settle = 150
const poll = 20
const by = { author: 'ada', authorizeAgain: async () => undefined }

const format = configFormat({
  mediaDir: '/media',
  trustedHeaders: { names: new Set(), file: '' },
  lookup: () => undefined,
})

async function open(text: string | undefined, more: { file?: string; clock?: TestClock } = {}) {
  const file = more.file ?? join(temporaryFolder(), 'config.yml')
  if (text !== undefined) {
    writeFileSync(file, text)
    utimesSync(file, 1, 1)
  }
  const lines: Line[] = []
  const at = (level: string) => (fields: object, message: string) => void lines.push({ level, fields, message })
  const log: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), enabled: () => true }
  const configStore = await openConfigStore({
    source: await openFileSource<Config>({ file, clock: more.clock ?? systemClock, settle, poll }),
    log,
    format,
  })
  opened.push(configStore)
  const applied: Config[] = []
  configStore.subscribe((next) => void applied.push(next))
  return { file, configStore, lines, applied }
}

const lengthOf = (file: ConfigStore<Config>) => file.current().auth.session_length
const text = (seconds: number) => `# kept\nauth:\n  session_length: ${seconds}\n`

test('[CONF-2] a bad file does not open, and the error lists every problem', async () => {
  await expect(open('auth: {enabled: 1}\ntls: {enable: true}')).rejects.toMatchObject({
    status: 78,
    message: [
      'config.yml is not valid:',
      'config.yml:1:17 auth.enabled: Invalid value 1. Allowed: true or false.',
      'config.yml:2:7 tls.enable: Unknown key "enable". Did you mean tls.enabled?',
    ].join('\n'),
  })
})

test.each([
  ['read', 'EIO', 1, readFile],
  ['read', 'EACCES', 78, readFile],
  ['looked at', 'ESTALE', 1, stat],
])('a file that cannot be %s because of %s ends the start with status %i', async (_what, code, status, failing) => {
  vi.mocked<typeof readFile | typeof stat>(failing).mockRejectedValueOnce(Object.assign(new Error(code), { code }))
  await expect(open(text(5))).rejects.toMatchObject({ status, message: `Couldn't read config.yml: ${code}` })
})

const lost = new ServiceError('unavailable', {
  reason: 'database-unavailable',
  cause: Object.assign(new Error('terminating connection'), { code: '57P01' }),
})

test.each([
  ['the newest version', { settled: () => Promise.reject(lost) }],
  [
    'an earlier version',
    {
      settled: () => Promise.resolve({ bytes: Buffer.from('auth: 1'), etag: '"2"' }),
      earlier: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(lost) }) }),
    },
  ],
] satisfies [string, Partial<ConfigSource<Config>>][])(
  'a database that is lost before it is asked for %s ends the start with status 1, so that it is started again',
  async (_which, reads) => {
    const source = { name: 'configuration', ...reads } as unknown as ConfigSource<Config>
    await expect(openConfigStore({ source, format, log: silent })).rejects.toMatchObject({
      status: 1,
      message: "Couldn't read configuration: terminating connection",
    })
  },
)

test('[CONF-2] a file that is not text is a problem', async () => {
  const file = join(temporaryFolder(), 'config.yml')
  writeFileSync(file, Buffer.from([0x61, 0xff, 0xfe]))
  await expect(open(undefined, { file })).rejects.toThrow("The file isn't valid UTF-8.")
})

test('[ROLE-7] a missing and an empty file are distinguished', async () => {
  expect((await open(undefined)).configStore.atStart).toBe('missing')
  expect((await open('# nothing\n')).configStore.atStart).toBe('empty')
  expect((await open(text(5))).configStore.atStart).toBe('present')
})

test('[CONF-1] a missing config file is created, readable only by its owner', async () => {
  const { file, configStore } = await open(undefined)
  await configStore.writeFirst()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).toContain('session_length')
  expect((await createRoleEditor(configStore).setRole(by, 'guard', { cameras: ['yard'] })).cameras).toEqual(['yard'])
})

test('[ROLE-7] a file that is being written at startup is waited for', async () => {
  const file = join(temporaryFolder(), 'config.yml')
  writeFileSync(file, 'auth:\n')
  const clock = createTestClock({ now: Date.now() })
  let length: number | undefined
  const opening = open(undefined, { file, clock }).then(({ configStore }) => void (length = lengthOf(configStore)))
  // It has read the first half, and waits.
  await vi.waitFor(() => expect(clock.pending()).toBe(1), 20_000)
  await clock.advance(settle / 2)
  appendFileSync(file, '  session_length: 7\n')
  await advanceUntil(clock, () => expect(length).toBe(7), { step: settle / 2 })
  await opening
})

test('[CONF-4] a save is written, kept, applied', async () => {
  const { file, configStore, applied } = await open(text(5))
  const { etag } = await configStore.raw()
  const next = `${text(6)}tls: {enabled: false}\n`
  expect(await configStore.save(next, etag, by)).toEqual({
    applied: ['auth.session_length'],
    restart_required: ['tls.enabled'],
  })
  expect(readFileSync(file, 'utf8')).toBe(next)
  expect(readFileSync(`${file}.previous`, 'utf8')).toBe(text(5))
  expect(applied).toHaveLength(1)
  expect(configStore.current().tls.enabled).toBe(true)
  expect(lengthOf(configStore)).toBe(6)
})

test('[CONF-4] a save must name the version it changes, and that must be the current one', async () => {
  const { file, configStore } = await open(text(5))
  const { etag } = await configStore.raw()
  await expect(configStore.save(text(6), undefined, by)).rejects.toMatchObject({ code: 'precondition-required' })
  const both = await Promise.allSettled([
    configStore.save(text(6), etag, by),
    configStore.save(text(7), `"other", ${etag}`, by),
  ])
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect(both[1]).toMatchObject({ reason: { code: 'precondition-failed' } })
  await expect(configStore.save(text(8), `W/${(await configStore.raw()).etag}`, by)).rejects.toMatchObject({
    code: 'precondition-failed',
  })
  expect(readFileSync(file, 'utf8')).toBe(text(6))
  await configStore.save('auth: {}', '*', by)
  expect(readFileSync(file, 'utf8')).toBe('auth: {}')
  expect(lengthOf(configStore)).toBe(86_400)
})

test('[CONF-4] only what is valid is saved', async () => {
  const { file, configStore, applied } = await open(text(5))
  await expect(configStore.save('auth: {session_length: no}\nx: 1', '*', by)).rejects.toMatchObject({
    code: 'invalid-request',
    problems: [
      { field: 'auth.session_length', line: 1, column: 24 },
      { field: 'x', line: 2, column: 1 },
    ],
  })
  expect(readFileSync(file, 'utf8')).toBe(text(5))
  expect(applied).toEqual([])
})

test('[CONF-4] a configuration that cannot be applied is taken back everywhere, the file too', async () => {
  const { file, configStore, applied } = await open(text(5))
  const end = configStore.subscribe((next) => {
    if (next.auth.session_length === 6) throw new Error('no')
  })
  await expect(configStore.save(text(6), '*', by)).rejects.toMatchObject({ code: 'unavailable' })
  expect(readFileSync(file, 'utf8')).toBe(text(5))
  expect(lengthOf(configStore)).toBe(5)
  expect(applied.map(({ auth }) => auth.session_length)).toEqual([6, 5])
  end()
  await configStore.save(text(6), '*', by)
  expect(lengthOf(configStore)).toBe(6)
})

test.each(['EBUSY', 'EXDEV', 'EROFS', 'EACCES'])(
  '[CONF-4] the error for a file that cannot be replaced (%s) says how to mount the folder',
  async (code) => {
    const { file, configStore } = await open(text(5))
    vi.mocked(rename).mockRejectedValueOnce(Object.assign(new Error(code), { code }))
    await expect(configStore.save(text(6), '*', by)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('mount its folder writable') as string,
    })
    expect(readFileSync(file, 'utf8')).toBe(text(5))
    expect(lengthOf(configStore)).toBe(5)
  },
)

test('[CONF-4] roles are written into the file with its comments kept', async () => {
  const { file, configStore } = await open(text(5))
  await Promise.all([
    createRoleEditor(configStore).setRole(by, 'guard', { cameras: ['yard'] }),
    createRoleEditor(configStore).setRole(by, 'neighbor', { cameras: ['door'] }),
  ])
  expect(readFileSync(file, 'utf8')).toBe(`${text(5)}  roles:\n    guard: [yard]\n    neighbor: [door]\n`)
  await createRoleEditor(configStore).removeRole('guard', by)
  expect([...configStore.current().auth.roles]).toEqual([['neighbor', ['door']]])
  expect(await createRoleEditor(configStore).removeRole('unknown', by)).toEqual({ applied: [], restart_required: [] })
  await expect(createRoleEditor(configStore).setRole(by, 'Neighbor', { cameras: ['door'] })).rejects.toMatchObject({
    code: 'invalid-request',
  })
  await expect(createRoleEditor(configStore).setRole(by, 'guard', { cameras: [] })).rejects.toMatchObject({
    code: 'invalid-request',
  })
})

test('a role is changed only if it still has the expected cameras, also by two concurrent requests', async () => {
  const { configStore } = await open('auth: {roles: {guard: [yard, door]}}')
  await expect(
    createRoleEditor(configStore).setRole(by, 'guard', { cameras: ['office'] }, { cameras: ['yard'] }),
  ).rejects.toMatchObject({
    code: 'precondition-failed',
  })
  await expect(
    createRoleEditor(configStore).setRole(by, 'gone', { cameras: ['office'] }, { cameras: ['yard'] }),
  ).rejects.toMatchObject({
    code: 'precondition-failed',
  })
  const known = { cameras: ['door', 'yard'] }
  const both = await Promise.allSettled([
    createRoleEditor(configStore).setRole(by, 'guard', { cameras: ['office'] }, known),
    createRoleEditor(configStore).setRole(by, 'guard', { cameras: ['yard'] }, known),
  ])
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect([...configStore.current().auth.roles]).toEqual([['guard', ['office']]])
})

test('a role is not saved into a file that is not the active configuration', async () => {
  const { file, configStore } = await open(text(5))
  writeFileSync(file, 'auth: {')
  await expect(createRoleEditor(configStore).setRole(by, 'guard', { cameras: ['yard'] })).rejects.toMatchObject({
    code: 'conflict',
  })
  writeFileSync(file, text(9))
  await createRoleEditor(configStore).setRole(by, 'guard', { cameras: ['yard'] })
  expect(lengthOf(configStore)).toBe(9)
})

test('[CONF-5] an edit by hand is applied once it has stood unchanged', async () => {
  const clock = createTestClock({ now: Date.now() })
  const { file, configStore, applied } = await open(text(5), { clock })
  configStore.watch()
  for (const seconds of [61, 62, 63, 64]) {
    writeFileSync(file, text(seconds))
    for (let passed = 0; passed < settle / 2; passed += poll) {
      await clock.advance(poll)
      await wait(20, 'a look at the file, and a load of it')
    }
  }
  expect(applied).toEqual([])
  await advanceUntil(clock, () => expect(lengthOf(configStore)).toBe(64), { step: poll })
  expect(applied).toHaveLength(1)
})

test('[CONF-5] a bad edit is logged once, and the configuration before stays', async () => {
  const { file, configStore, lines } = await open(text(5))
  configStore.watch()
  const errors = () => lines.filter(({ level }) => level === 'error')
  writeFileSync(file, 'auth: {session_length: no}')
  await vi.waitFor(() => expect(errors()).toHaveLength(1), 20_000)
  expect(errors()[0]?.fields).toEqual({ problems: [expect.stringContaining('config.yml:1:24 auth.session_length')] })
  utimesSync(file, 2, 2)
  await wait(settle * 3, 'a second report would have come by then')
  expect(errors()).toHaveLength(1)
  expect(lengthOf(configStore)).toBe(5)
})

test.each([
  ['empty', (file: string) => writeFileSync(file, '')],
  ['empty', (file: string) => writeFileSync(file, '# auth:\n')],
  ['missing', (file: string) => rmSync(file)],
])('[ROLE-7] an %s file is never applied to a running service', async (what, edit) => {
  const { file, configStore, lines, applied } = await open('auth: {roles: {guard: [yard]}}')
  configStore.watch()
  edit(file)
  await vi.waitFor(() => expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(1), 20_000)
  expect(lines[0]?.message).toContain(`config ${what}; keeping previous config`)
  expect([...configStore.current().auth.roles.keys()]).toEqual(['guard'])
  expect(applied).toEqual([])
})

test('[CONF-5] an edit that cannot be applied is logged once, the configuration before stays, and it is applied as soon as it can be', async () => {
  const { file, configStore, lines } = await open(text(5))
  configStore.watch()
  let tried = 0
  const end = configStore.subscribe((next) => {
    if (next.auth.session_length !== 6) return
    tried += 1
    throw new Error('no')
  })
  writeFileSync(file, text(6))
  await vi.waitFor(() => expect(tried).toBe(3), 20_000)
  expect(lines.filter(({ level }) => level === 'error')).toHaveLength(1)
  expect(lengthOf(configStore)).toBe(5)
  expect(configStore.isOutdated()).toBe(true)
  expect(existsSync(file)).toBe(true)
  end()
  await vi.waitFor(() => expect(lengthOf(configStore)).toBe(6), 20_000)
  expect(configStore.isOutdated()).toBe(false)
})

test('[NODE-1] what belongs to a text is used once the text is active, also if nothing of it differs, and not while another one is active', async () => {
  const first = { bytes: Buffer.from(text(5)), etag: '"1"' }
  const watching = Promise.withResolvers<SourceWatcher>()
  const source: ConfigSource<Config> = {
    name: 'configuration',
    read: () => Promise.resolve(first),
    latest: () => Promise.resolve(first),
    settled: () => Promise.resolve(first),
    async *earlier() {},
    replace: () => Promise.reject(new Error('away')),
    undo: () => Promise.resolve(),
    isCurrent: () => true,
    watch: (watcher) => (watching.resolve(watcher), () => Promise.resolve()),
  }
  const format = configFormat({
    mediaDir: '/media',
    trustedHeaders: { names: new Set(), file: '' },
    lookup: () => undefined,
  })
  const configStore = await openConfigStore({ source, format, log: silent })
  const seen: unknown[] = []
  let isRejected = false
  configStore.subscribe(() => {
    if (isRejected) throw new Error('no')
  })
  configStore.watch()
  const { found } = await watching.promise
  const check = (version: number, document: string) =>
    found(
      () => Promise.resolve({ bytes: Buffer.from(document), etag: `"${version}"` }),
      () => seen.push([version, lengthOf(configStore)]),
    )
  expect([await check(1, text(5)), await check(2, text(5)), await check(3, text(6))]).toEqual([true, true, true])
  expect(await check(4, 'unknown: 1')).toBe(true)
  isRejected = true
  expect(await check(5, text(7))).toBe(false)
  expect(seen).toEqual([
    [1, 5],
    [2, 5],
    [3, 6],
  ])
})

test('[NODE-1] what a text is combined with is applied without reading the text again, and a failure is reported', async () => {
  const format = configFormat({
    mediaDir: '/media',
    trustedHeaders: { names: new Set(), file: '' },
    lookup: () => undefined,
  })
  const machine = (onDatabaseLoss: string) => {
    const loaded = format.load(`node: { on_database_loss: ${onDatabaseLoss} }`)
    if (!isWhole(loaded)) throw new Error('it is valid')
    return loaded
  }
  let combined = machine('stop')
  const found = { bytes: Buffer.from(text(5)), etag: '"1"' }
  const source: ConfigSource<Config> = {
    name: 'configuration',
    read: () => Promise.reject(new Error('away')),
    latest: () => Promise.resolve(found),
    settled: () => Promise.resolve(found),
    async *earlier() {},
    replace: () => Promise.reject(new Error('away')),
    undo: () => Promise.resolve(),
    isCurrent: () => true,
    watch: () => () => Promise.resolve(),
  }
  const configStore = await openConfigStore({
    source,
    format: { ...format, load: (document) => format.loadDocument(document, combined) },
    log: silent,
  })
  const lossOf = () => configStore.current().node.on_database_loss
  combined = machine('keep')
  expect([await configStore.reapply(), lossOf(), lengthOf(configStore)]).toEqual([true, 'keep', 5])
  configStore.subscribe(({ node }) => {
    if (node.on_database_loss === 'stop') throw new Error('no')
  })
  combined = machine('stop')
  expect([await configStore.reapply(), lossOf()]).toEqual([false, 'keep'])
})

test('our own save is not taken for an edit by hand', async () => {
  const { configStore, applied, lines } = await open(text(5))
  configStore.watch()
  await configStore.save(text(6), '*', by)
  await wait(settle * 3, 'a reload would have come by then')
  expect(applied).toHaveLength(1)
  expect(lines).toEqual([])
})
