import { globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { english } from '../src/shared/messages/english.gen.ts'
import { functionsOf, largeFunctions, maxFunction, tooLarge } from './support/functions.ts'
import { importsOf, reachableFrom, ringInFolder, ringOfFiles, ringOfFolders, wrongWith } from './support/imports.ts'

const root = resolve(import.meta.dirname, '../..')
const files = globSync('{server,web}/src/**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.test\.tsx?$/.test(file))
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
const imports = importsOf(new Map(files.map((file) => [file, textOf(file)])))

const web = files.filter((file) => file.startsWith('web/src/')).toSorted()
const styles = globSync('web/src/**/*.css', { cwd: root })

const isQuoted = (code: string, text: string) => ["'", '"', '`'].some((quote) => code.includes(quote + text))

const wrongs = (file: string, text: string) =>
  importsOf(new Map([[file, text]]))
    .map(wrongWith)
    .filter(Boolean)

/** The files of the web UI that contain something. */
const using = (pattern: RegExp) => web.filter((file) => pattern.test(textOf(file)))

/** The files of the web UI that import a package. */
const importers = (name: string) =>
  imports
    .filter(({ from, to }) => from.startsWith('web/src/') && to === name)
    .map(({ from }) => from)
    .toSorted()

describe('the architecture', () => {
  test('has files and imports to check', () => {
    expect(files.length).toBeGreaterThan(15)
    expect(imports.length).toBeGreaterThan(15)
  })
  test('no folder imports what the table does not allow', () => {
    expect(imports.map(wrongWith).filter(Boolean)).toEqual([])
  })
  test.each([
    [
      'the service',
      'server/src/**/*.{ts,mjs}',
      // The web UI imports the types of the API.
      ['server/src/main.ts', 'server/src/cli/run-command.ts', 'server/src/api-types.ts'],
    ],
    [
      'the web UI',
      'web/src/**/*.{ts,tsx,css}',
      // Compiled messages import their formats.
      ['web/src/main.tsx', 'web/src/i18n/formats.ts'],
    ],
  ])('every file of %s is used by it, not only by tests', (_name, pattern, entries) => {
    const shipped = globSync(pattern, { cwd: root }).filter((file) => !/\.test\.tsx?$|\.d\.ts$/.test(file))
    const reached = reachableFrom(entries, new Map(shipped.map((file) => [file, textOf(file)])))
    expect(entries.filter((file) => !shipped.includes(file))).toEqual([])
    expect(shipped.filter((file) => !reached.has(file))).toEqual([])
  })
  test('files on a disk that may hang are only accessed through the semaphore', () => {
    // All but the thread of an export, which waits for the disk itself and takes no thread of the pool.
    const onDisk = /^server\/src\/(recordings|review|exports(?!\/muxing\/muxing-worker\.ts)|cameras)\//
    expect(imports.filter(({ from, to }) => onDisk.test(from) && to.startsWith('node:fs'))).toEqual([])
  })
  test('a request has one context, which reads its headers once', () => {
    const makers = files.filter((file) => /new (IncomingRequestMeta|RequestContext)\(/.test(textOf(file)))
    expect(makers).toEqual(['server/src/gate/request-context.ts', 'server/src/gate/server.ts'])
  })
  test('the English text of a code is written once, in the texts of the web UI', () => {
    const service = files.filter((file) => file.startsWith('server/src/') && !file.endsWith('.gen.ts'))
    const sources = service.map((file) => [file, readFileSync(join(root, file), 'utf8')] as const)
    const beside = /\bcode: ?['`][^{}]*\bmessage: ?['"`]/
    expect(sources.filter(([, text]) => beside.test(text)).map(([file]) => file)).toEqual([])
    expect(beside.test("{ code: 'no-such-user', message: 'User not found.' }")).toBe(true)
    const texts = Object.values<object>(english).flatMap((section) => Object.values(section).map(String))
    const sentences = texts.filter((text) => /^[^`]{15,}\.$/.test(text)).map((text) => text.toLowerCase())
    expect(sentences.length).toBeGreaterThan(100)
    const copied = sources.flatMap(([file, text]) => {
      const code = text.replaceAll(String.raw`\'`, "'").toLowerCase()
      return sentences.filter((sentence) => isQuoted(code, sentence)).map((sentence) => `${file}: ${sentence}`)
    })
    expect(copied).toEqual([])
  })
  describe('a route declares its access', () => {
    const declares = /(?<![.\w])route\(/
    const withRoutes = files.filter(
      (file) => /^server\/src\/(?!http\/route\.ts)/.test(file) && declares.test(textOf(file)),
    )
    const matching = (pattern: RegExp) => withRoutes.filter((file) => pattern.test(textOf(file)))
    /** Decides a request to another program, by that request's rule. */
    const forwardAuth = 'server/src/gate/forward-auth.ts'
    /** Shows the grant of another caller. */
    const accessPreview = 'server/src/gate/access-preview.ts'

    test('in many files, whatever their names', () => {
      expect(withRoutes.length).toBeGreaterThan(30)
      expect(withRoutes).toEqual(expect.arrayContaining([forwardAuth, accessPreview, 'server/src/system/stats.ts']))
    })
    test('none of them reads a grant or decides by its actions', () => {
      const reads = /\b(?:grant|grantOf|actions)\.(?:actions|cameras|has|includes)\b|\bdecide(?:Details)?\(/
      expect(matching(reads)).toEqual([accessPreview, forwardAuth])
      expect(reads.test("handle: (_input, { grant }) => grant.actions.has('config.manage')")).toBe(true)
    })
    test('none of them compares the caller: the declaration says whose resource it is, and `isOwn` which', () => {
      const compares = /\bisOwner\(|\bidentity\.\w+ ?[!=]==|[!=]== ?(?:\w+\.)*identity\b/
      expect(matching(compares)).toEqual([accessPreview])
      expect(compares.test("identity.kind === 'authenticated' && isOwner(identity, owner)")).toBe(true)
      expect(compares.test('user.key === caller.identity.key')).toBe(true)
    })
    test('and what has no body has no status: the gate responds 204', () => {
      expect(matching(/\bstatus: 204\b/)).toEqual([])
    })
  })
  test('an hour and a day are numbers in one file', () => {
    const number = /\b(?:86_400_000|3_600_000)\b|\b60 \* 60_000\b/
    const service = files.filter((file) => file.startsWith('server/src/'))
    expect(service.filter((file) => number.test(textOf(file)))).toEqual(['server/src/shared/time/durations.ts'])
  })
  test('what waits for a clock takes one; only what waits for the system itself uses the clock of the system', () => {
    const users = files.filter((file) => /^import \{[^}]*\bsystemClock\b/m.test(textOf(file))).toSorted()
    expect(users.filter((file) => !/^server\/src\/(?:main\.ts$|app\.ts$|app\/|cli\/)/.test(file))).toEqual([
      // A receiver of the audit log, or the program that sends to it.
      'server/src/audit/output/within-timeout.ts',
      // A child process.
      'server/src/media/ffmpeg/ffmpeg-child.ts',
      'server/src/media/ffmpeg/jpeg-encoder.ts',
      // A camera.
      'server/src/media/ffmpeg/rtsp-login.ts',
      // A child process.
      'server/src/media/stall-watchdog.ts',
      // Locks, connections and files of a database; its tools open it without a clock.
      'server/src/store/open.ts',
      'server/src/store/postgres/dialect.ts',
      'server/src/store/sqlite/changes.ts',
      'server/src/store/sqlite/dialect.ts',
      'server/src/store/sqlite/log-flush.ts',
      // A disk.
      'server/src/system/disk.ts',
      // A child process.
      'server/src/users/password/hashing-process.ts',
    ])
  })
  test('a scope comes from the gate, what is in it is decided in one file, and work without a caller says so', () => {
    const inService = files.filter((file) => file.startsWith('server/src/'))
    const makes = /\b(?:as|is) (?:unknown as |readonly )*(?:\w+<)*(?:CameraScope|ScopedCamera|ScopedKey)\b/
    expect(inService.filter((file) => makes.test(textOf(file)))).toEqual(['server/src/access/grant.ts'])
    expect(makes.test("store.items(owner, { cameras: ['yard'] as ScopedKey<CameraKey>[] })")).toBe(true)
    const scopes = inService.filter((file) => /\b(?:scopeOf|scopeFor|narrowScope)\(/.test(textOf(file)))
    expect(scopes.map((file) => file.replace('server/src/', '')).toSorted()).toEqual([
      'access/grant.ts',
      'app/routes.ts',
      'app/stats.ts',
      'gate/access-preview.ts',
      'gate/request-context.ts',
    ])
    const unscoped = inService.filter((file) => /\bwithoutCaller\b/.test(textOf(file)))
    expect(unscoped.map((file) => file.replace('server/src/', '')).toSorted()).toEqual([
      'access/grant.ts',
      'exports/queue/job-queue.ts',
      'exports/run-export.ts',
      'recordings/segments/inner-files.ts',
    ])
  })
  test("a camera's key comes from the registry or from what was stored with it, never from a cast", () => {
    const inService = files.filter((file) => file.startsWith('server/src/'))
    const casts = /\bas (?:unknown as |readonly )*(?:\w+<)*CameraKey\b/
    expect(inService.filter((file) => casts.test(textOf(file)))).toEqual(['server/src/shared/camera/camera-keys.ts'])
    expect(casts.test("keys.nameOf('yard' as CameraKey)")).toBe(true)
    const makers = inService.filter((file) => /\bcameraKey\(|\(cameraKey\)/.test(textOf(file)))
    expect(makers.map((file) => file.replace('server/src/', '')).toSorted()).toEqual([
      'audit/summary.routes.ts',
      'auth/api-token/api-token-store.sql.ts',
      'auth/screen/screen-store.sql.ts',
      'cameras/registry/registry-view.ts',
      'cameras/registry/registry.routes.ts',
      'cameras/registry/registry.ts',
      'cluster/inner/ticket.ts',
      'recordings/index/renamed-keys.sql.ts',
      'recordings/segments/compare-folder.ts',
      'recordings/segments/reconcile.ts',
      'recordings/segments/segment-name.ts',
    ])
  })
  test('there is one clock jump guard: a clock change is logged only once', () => {
    const makers = files.filter((file) => readFileSync(join(root, file), 'utf8').includes(' = createClockJumpGuard('))
    expect(makers).toEqual(['server/src/app/core.ts'])
  })
  test('the web UI has one way to show a notification and one to hold a form', () => {
    expect(importers('@mantine/notifications')).toEqual([
      'web/src/ui/feedback/Toasts.tsx',
      'web/src/ui/feedback/notify.ts',
    ])
    expect(importers('@mantine/form')).toEqual(['web/src/ui/forms/useForm.ts'])
  })
  test('the web UI has one icon button, one dialog, one popover, one end of a list and one keyboard shortcut hook', () => {
    expect(using(/<ActionIcon\b/)).toEqual(['web/src/ui/IconButton.tsx'])
    expect(using(/import \{[^}]*\bPopover\b[^}]*\} from '@mantine\/core'/)).toEqual(['web/src/ui/popovers/Popover.tsx'])
    expect(using(/import \{[^}]*\bModal\b[^}]*\} from '@mantine\/core'/)).toEqual(['web/src/ui/dialogs/Dialog.tsx'])
    expect(using(/\buseIntersection\(/)).toEqual(['web/src/ui/lists/LoadMore.tsx'])
    // A tooltip hides on Escape before the page acts on it.
    expect(using(/\buseHotkeys\(|addEventListener\('key/)).toEqual([
      'web/src/ui/popovers/TooltipLabel.tsx',
      'web/src/ui/shortcuts/useKeys.ts',
    ])
  })
  test('the web UI has few screen widths, named in one file', () => {
    expect(using(/\((?:max|min)-width:/)).toEqual(['web/src/ui/breakpoints.ts'])
    const widths = styles.flatMap((file) =>
      [...textOf(file).matchAll(/@media[^{]*/g)].flatMap(([query]) =>
        [...query.matchAll(/\((max|min)-width: (\d+)px\)/g)].map(([, end, pixels]) =>
          end === 'max' ? Number(pixels) : Number(pixels) - (Number(pixels) % 10),
        ),
      ),
    )
    expect(widths.length).toBeGreaterThan(20)
    const named = [...textOf('web/src/ui/breakpoints.ts').matchAll(/^ {2}\w+: (\d+),/gm)].map(([, pixels]) =>
      Number(pixels),
    )
    expect([...new Set(widths)].filter((width) => !named.includes(width))).toEqual([])
  })
  test('a color of the web UI has a name', () => {
    const color = /#(?:[\da-f]{3,4}){1,2}\b/i
    const unnamed = (line: string) => color.test(line) && !/^\s*--[\w-]+:/.test(line)
    expect(styles.filter((file) => textOf(file).split('\n').some(unnamed))).toEqual([])
    // The offline page has no style sheet.
    expect(using(new RegExp(`['"\`(]${color.source}`, 'i'))).toEqual([
      'web/src/app/offline-page.ts',
      'web/src/ui/theme.ts',
    ])
  })
  test('each body that the web UI sends belongs to a route', () => {
    const types = readFileSync(join(root, 'server/src/api-types.ts'), 'utf8')
    const access = readFileSync(join(root, 'docs/access.md'), 'utf8')
    const sent = [...types.matchAll(/^ {2}'([A-Z]+) (\/api\/.*)':/gm)].map(
      ([, method, path]) => `| ${method} | \`${path}\` |`,
    )
    expect(sent.length).toBeGreaterThan(10)
    expect(sent.filter((route) => !access.includes(route))).toEqual([])
  })
  test('folders do not import each other in a cycle', () => {
    expect(ringOfFolders(imports)).toBeUndefined()
  })
  test('inside a folder, its folders and files do not import each other in a cycle', () => {
    expect(ringInFolder(imports)).toBeUndefined()
  })
  test('files do not need each other in a cycle', () => {
    const others = globSync(
      [
        '{e2e,scripts,attacks,bench,server/test,web/{build,messages,test}}/**/*.{ts,tsx}',
        '{server,web}/src/**/*.test.ts',
      ],
      {
        cwd: root,
      },
    )
    expect(others.length).toBeGreaterThan(500)
    const all = [...imports, ...importsOf(new Map(others.map((file) => [file, textOf(file)])))]
    // A catalog of texts imports its type from the module that loads it.
    expect(ringOfFiles(all.filter(({ from }) => !from.startsWith('web/src/i18n/')))).toBeUndefined()
  })
})

const emptyLines = (count: number): string => '\n'.repeat(count)
const sizesOf = (text: string): [name: string, lines: number, lets: number][] =>
  functionsOf('a.ts', text).map(({ name, lines, lets }) => [name, lines, lets])

describe('the functions of the source', () => {
  const tools = globSync(['web/{build,messages}/**/*.ts', 'scripts/**/*.ts', 'e2e/**/*.ts', 'attacks/**/*.ts'], {
    cwd: root,
  })
  const sizes = [...files, ...tools.filter((file) => !file.endsWith('.test.ts'))].flatMap((file) =>
    functionsOf(file, textOf(file)),
  )

  test('fit on a screen and have few variables, or say why not', () => {
    expect(sizes.length).toBeGreaterThan(3000)
    expect(tooLarge(sizes).filter(({ name }) => !largeFunctions.has(name))).toEqual([])
  })
  test('are no exceptions without need', () => {
    const large = new Set(tooLarge(sizes).map(({ name }) => name))
    expect([...largeFunctions.keys()].filter((name) => !large.has(name))).toEqual([])
  })
  test('are excused by files that exist, next to them', () => {
    const named = [...largeFunctions].flatMap(([name, reason]) =>
      [...reason.matchAll(/[\w-]+\.tsx?\b/g)].map(([file]) => join(dirname(name.slice(0, name.indexOf(':'))), file)),
    )
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((file) => !files.includes(file))).toEqual([])
  })

  test.each<[kind: string, text: string, expected: [name: string, lines: number, lets: number][]]>([
    ['a declaration', `function one() {${emptyLines(3)}}`, [['a.ts: one', 4, 0]]],
    ['an arrow function', `const two = () => {\nlet a, b\n}`, [['a.ts: two', 3, 2]]],
    ['a method', `const x = { three() {\n} }`, [['a.ts: three', 2, 0]]],
    ['a property', `const x = { four: () => {\n} }`, [['a.ts: four', 2, 0]]],
    ['a class', `class X { five() {\n} }`, [['a.ts: five', 2, 0]]],
    [
      'a function in another',
      `function six() {\nlet a\nreturn [].map(() => {\nlet b\n})\n}`,
      [
        ['a.ts: six', 6, 1],
        ['a.ts: six', 3, 1],
      ],
    ],
  ])('%s is measured', (_kind, text, expected) => {
    expect(sizesOf(text)).toEqual(expected)
  })

  const long = `function f() {${emptyLines(maxFunction.lines)}}`
  const inside = `function routes() { const handle = () => {${emptyLines(maxFunction.lines)}} }`
  test.each<[what: string, file: string, text: string, expected: number]>([
    ['a long function', 'server/src/a.ts', long, 1],
    ['one that just fits', 'server/src/a.ts', `function f() {${emptyLines(maxFunction.lines - 1)}}`, 0],
    ['many variables', 'server/src/a.ts', 'function f() { let a, b, c, d, e, f, g }', 1],
    ['a long list of routes', 'server/src/a.routes.ts', long, 0],
    ['a long list of statements', 'server/src/a.sql.ts', long, 1],
    ['a long function in a list of routes', 'server/src/a.routes.ts', inside, 1],
  ])('%s: whether it is too large', (_what, file, text, expected) => {
    expect(tooLarge(functionsOf(file, text))).toHaveLength(expected)
  })
})

/** Violations of every rule: the table has to detect each. */
describe('a violation is detected', () => {
  test.each([
    // in the file                            the import
    ['server/src/access/decide.ts', `import { route } from '../http/route.ts'`],
    ['server/src/access/decide.ts', `import type { Log } from '../shared/log.ts'`],
    ['server/src/access/decide.ts', `import { pino } from 'pino'`],
    ['server/src/access/decide.ts', `import { hash } from 'node:crypto'`],
    ['server/src/shared/time/clock.ts', `import type { Grant } from '../../access/grant.ts'`],
    ['server/src/shared/with-web/step.ts', `import { randomBytes } from 'node:crypto'`],
    ['server/src/shared/with-web/step.ts', `import type { Log } from '../log.ts'`],
    ['server/src/media/ffmpeg.ts', `import { decide } from '../access/decide.ts'`],
    ['server/src/store/tables.ts', `import type { User } from '../users/accounts/account-store.ts'`],
    ['server/src/config/load.ts', `import { problemDetailsFor } from '../http/errors.ts'`],
    ['server/src/config/load.ts', `import type { User } from '../users/accounts/account-store.ts'`],
    ['server/src/users/users.routes.ts', `import type { SignIn } from '../auth/password/sign-in.ts'`],
    ['server/src/http/route.ts', `import { createChecks } from '../gate/checks.ts'`],
    ['server/src/auth/gate-authentication.ts', `import type { StreamRegistry } from '../gate/stream-registry.ts'`],
    ['server/src/auth/gate-authentication.ts', `import { problemDetailsFor } from '../http/errors.ts'`],
    ['server/src/auth/gate-authentication.ts', `import { openStore } from '../store/open.ts'`],
    ['server/src/gate/server.ts', `import type { Tables } from '../store/tables.ts'`],
    ['server/src/gate/server.ts', `import { users } from '../users/users.ts'`],
    ['server/src/gate/server.ts', `export * from '../users/users.ts'`],
    ['server/src/cameras/live.ts', `import { users } from '../users/users.ts'`],
    ['server/src/cameras/live.ts', `import type { User } from '../users/accounts/account-store.ts'`],
    ['server/src/cameras/live.ts', `import { loadText } from '../config/load.ts'`],
    ['server/src/cameras/live.ts', `import { type Loaded } from '../config/load.ts'`],
    ['server/src/cameras/live.ts', `export { loadText } from '../config/load.ts'`],
    ['server/src/cameras/live.ts', `import { RecordingConfig } from '../recordings/recording.config.ts'`],
    ['server/src/shared/log.ts', `import type { LoggerConfig } from '../system/logger.config.ts'`],
    ['server/src/config/load.ts', `import type { CamerasConfig } from '../cameras/cameras.config.ts'`],
    ['server/src/config/load.ts', `import { route } from '../http/route.ts'`],
    ['server/src/cameras/live.ts', `const later = () => import('../app.ts')`],
    ['server/src/cameras/live.ts', `const later = () => import(name)`],
    ['server/src/cameras/live.ts', `import { sqlite } from '../store/sqlite/dialect.ts'`],
    ['server/src/cameras/live.ts', `import { listen } from '../http/server.ts'`],
    [
      'server/src/cameras/live.ts',
      `import { start } from '../../test/support/start-service.ts'`.replace('../../', '../../../server/'),
    ],
    ['server/src/drawer/utils.ts', `import { decide } from '../access/decide.ts'`],
    ['web/src/lib/format-time.ts', `import { useTexts } from '../i18n/texts.ts'`],
    ['web/src/ui/feedback/Notice.tsx', `import type { Role } from '../../users/roles.ts'`],
    ['web/src/cameras/queries.ts', `import { useLive } from '../live/useLive.ts'`],
    ['web/src/review/ReviewPage.tsx', `import { HistoryPage } from '../history/HistoryPage.tsx'`],
    ['web/src/review/ReviewPage.tsx', `const later = () => import('../app/menu.ts')`],
    ['web/src/settings/roles/RolePage.tsx', `import { UserPage } from '../users/UserPage.tsx'`],
    ['web/src/settings/SectionHead.tsx', `import { UserPage } from './users/UserPage.tsx'`],
    ['web/src/app/menu.ts', `import { programs } from '../../../server/test/support/programs.ts'`],
    ['web/src/drawer/utils.ts', `import { useTexts } from '../i18n/texts.ts'`],
    ['web/src/live/LivePage.tsx', `import { Camera } from '../../../server/src/api-types.ts'`],
    ['web/src/live/LivePage.tsx', `import type { Camera } from '../../../server/src/cameras/cameras.routes.ts'`],
    ['web/src/live/LivePage.tsx', `import { backoff } from '../../../server/src/shared/rate/backoff.ts'`],
  ])('in %s: %s', (file, text) => {
    expect(wrongs(file, text)).toHaveLength(1)
  })

  test.each([
    ['server/src/cameras/cameras.config.ts', `import { section } from '../config/key.ts'`],
    ['server/src/auth/gate-authentication.ts', `import { users } from '../users/users.ts'`],
    ['server/src/cameras/live.ts', `import type { ConfigStore } from '../config/config-store.ts'`],
    ['server/src/cameras/live.ts', `import type { Tables } from '../store/tables.ts'`],
    ['server/src/cameras/live.ts', `import { start } from '../media/ffmpeg.ts'`],
    ['server/src/cameras/live.ts', `import { Type } from 'typebox'`],
    ['server/src/app.ts', `import { createCameras } from './cameras/cameras.ts'`],
    ['web/src/settings/roles/RolePage.tsx', `import { useUsers } from '../../users/users.ts'`],
    ['web/src/app/menu.ts', `import { UserPage } from '../settings/users/UserPage.tsx'`],
    ['web/src/live/LivePage.tsx', `import classes from './LivePage.module.css'`],
    ['web/src/live/LivePage.tsx', `import type { Camera } from '../../../server/src/api-types.ts'`],
    ['web/src/live/live-state.ts', `import { andThen } from '../../../server/src/shared/with-web/step.ts'`],
    ['server/src/shared/with-web/step.ts', `import { last } from './last.ts'`],
  ])('an allowed import is accepted: in %s: %s', (file, text) => {
    expect(wrongs(file, text)).toEqual([])
  })

  test('a file that nothing but a test needs', () => {
    const sources = new Map([
      [
        'server/src/main.ts',
        `import { a } from './a.ts'\nimport './main.css'\nconst later = () => import('./later.ts')`,
      ],
      ['server/src/a.ts', `import type { B } from './b.ts'\nnew Worker(new URL('thread.mjs', import.meta.url))`],
      ['server/src/b.ts', `export type B = 1\nfork(join(import.meta.dirname, 'child.ts'))`],
      ['server/src/thread.mjs', ''],
      ['server/src/child.ts', ''],
      ['server/src/later.ts', ''],
      ['server/src/style.css', ''],
      ['server/src/main.css', `@import './style.css';`],
      ['server/src/fake-a.ts', `import { a } from './a.ts'`],
    ])
    const reached = reachableFrom(['server/src/main.ts'], sources)
    expect([...sources.keys()].filter((file) => !reached.has(file))).toEqual(['server/src/fake-a.ts'])
  })
  test('a cycle of folders', () => {
    const ring = importsOf(
      new Map([
        ['server/src/http/a.ts', `import '../cameras/b.ts'`],
        ['server/src/cameras/b.ts', `import '../media/c.ts'`],
        ['server/src/media/c.ts', `import '../http/a.ts'`],
      ]),
    )
    expect(ringOfFolders(ring)).toBe('http → cameras → media → http')
    const pages = importsOf(
      new Map([
        ['web/src/settings/users/a.ts', `import '../roles/b.ts'`],
        ['web/src/settings/roles/b.ts', `import type { A } from '../users/c.ts'`],
      ]),
    )
    expect(ringOfFolders(pages)).toBe('settings/users → settings/roles → settings/users')
  })
  test('a cycle inside a folder', () => {
    const ring = importsOf(
      new Map([
        ['server/src/auth/session/a.ts', `import '../password/b.ts'`],
        ['server/src/auth/password/b.ts', `import '../c.ts'`],
        ['server/src/auth/c.ts', `import type { D } from './session/d.ts'`],
      ]),
    )
    expect(ringInFolder(ring)).toBe('auth/session → auth/password → auth/c.ts → auth/session')
    expect(ringOfFolders(ring)).toBeUndefined()
    expect(ringOfFiles(ring)).toBeUndefined()
  })
  test('a cycle of files', () => {
    const ring = importsOf(
      new Map([
        ['server/src/cameras/a.ts', `import { b } from './b.ts'`],
        ['server/src/cameras/b.ts', `import type { A } from './a.ts'`],
      ]),
    )
    expect(ringOfFiles(ring)).toBe('server/src/cameras/a.ts → server/src/cameras/b.ts → server/src/cameras/a.ts')
    expect(ringOfFolders(ring)).toBeUndefined()
  })
})
