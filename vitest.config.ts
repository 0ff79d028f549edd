import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { mountingPool } from './server/test/support/mounting-pool.ts'
import { messages } from './web/messages/plugin.ts'

/** Unit tests only compute. */
const workers = Math.min(2, availableParallelism())

/** More space for new objects, so that V8 collects them less often: a tenth of the CPU time of the unit tests. */
const youngHeap = ['--max-semi-space-size=64']

/** Tests of the service mostly wait: for a camera, a clock, a disk. */
const waiting = 4

/** Tests in a browser wait half of the time: for a page, a video. */
const browsing = 3

/** Runs the longest files first, so that none is left running alone at the end. */
class LongestFirst extends BaseSequencer {
  static readonly long = [
    'e2e/accessibility',
    'e2e/pages',
    'e2e/embedding',
    'e2e/history',
    'e2e/users',
    'e2e/config',
    'e2e/live-page',
    'test/debian-package',
    'test/odd-cameras',
    'test/image',
    'test/leases',
    'test/live',
    'test/cameras-untrusted',
    'test/recording-disk',
    'test/recordings',
    'test/faults',
    'test/fronts-video',
    'test/postgres-faults',
    'test/cluster.test',
    'test/cluster-handover',
    'test/command-users',
    'test/motion',
    'test/h265',
    'attacks/revocation',
  ]
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LongestFirst.long.some((name) => moduleId.includes(`/${name}`))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/** The default timeout of one second is too short for a busy machine. */
const patient = { poll: { timeout: 120_000 } }

/** For tests that hang: a busy machine is ten times slower than an idle one. */
const limit = 300_000

const wholeService = { expect: patient, testTimeout: limit, hookTimeout: limit }
const beforeBrowsers = { ...wholeService, maxWorkers: waiting, sequence: { groupOrder: 1 } }

const unitTests = ['{server,web}/src/**/*.test.{ts,tsx}', 'web/messages/**/*.test.ts', 'scripts/**/*.test.{ts,mjs}']

const textOf = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')

/** Unit tests that encode, decode or analyze video. */
const video =
  /\/(?:mp4\/video-only-(?:file|fragments)|muxing\/trim-video|motion\/detector|ffmpeg\/(?:key-frame-decoder|jpeg-decoders|stream-frames))\.test\.ts$/

/** Unit tests that run only in `npm test`, as the long tests of the service do: of video, and of PostgreSQL alone. */
const longUnitTests = globSync(unitTests, { cwd: import.meta.dirname }).filter(
  (file) => video.test(file) || textOf(file).includes('each(postgresEngines)'),
)

/**
 * Unit tests that replace modules, or change the process in a way that `undo-stubs.ts` doesn't undo. All
 * others share processes, which saves their starts.
 */
const isolated = globSync(unitTests, { cwd: import.meta.dirname }).filter(
  (file) =>
    !longUnitTests.includes(file) &&
    /\bvi\.(?:mock|hoisted|resetModules)\b|globalThis\.|process\.(?:env\[|on\()/.test(textOf(file)),
)

const ofService = globSync('{server/test,attacks}/**/*.test.ts', { cwd: import.meta.dirname })

/** Tests that run the service in their own process, or none. */
const inProcess = ofService.filter((file) => !textOf(file).includes('startGatehouse('))

/**
 * Files of the tests that start such a program or the command `gatehouse`, and those that wait until demo cameras have
 * recorded.
 */
const programs =
  /\/(?:rtsp-camera|http-camera|oidc-service|fake-oidc-service|cameras-alone|fronts|guide-fronts|nginx|postgres-server|debian-machine|held-exports|mounts|motion-scenes|write-recordings|seeded-recordings|seen-recordings|video-with-audio|command)\.ts'/
const recording = /\/(?:simple-clients|storage|recordings|recording-state)\.test\.ts$/
/** Tests that send thousands of generated requests. */
const generated = /\/(?:access-matrix|access-matrix-forms|fuzz|session-model)\.test\.ts$/
/** Tests whose passwords are hashed as in production. */
const hashing = 'realHashes: true'
/** Tests that run several services on one database, and the attack suite. */
const large = /\/cluster[\w-]*\.test\.ts$|^attacks\//

/**
 * Of these, tests that record or decode video, drive outside cameras, proxies, OpenID providers, PostgreSQL or disks,
 * run the command `gatehouse` (half a second of CPU time each) or several services, hash passwords, generate their
 * requests, or attack. The others and the unit tests are `npm run test:quick`.
 */
const long = inProcess.filter(
  (file) =>
    [recording, generated, large].some((kind) => kind.test(file)) ||
    programs.test(textOf(file)) ||
    textOf(file).includes(hashing),
)

/** Tests of full, missing and read-only disks. None starts PostgreSQL, which doesn't run as root of its own users. */
const mounting = ofService.filter((file) => /\/mounts\.ts'/.test(textOf(file)))

const inBrowser = ['e2e/**/*.test.ts']
const never = ['**/node_modules/**', '{server,web}/dist/**']
const notMounting = mountingPool ? [...never, ...mounting] : never

export default defineConfig({
  test: {
    reporters: ['default'],
    sequence: { sequencer: LongestFirst },
    globalSetup: 'server/test/support/run-folder.ts',
    // Tabs of one browser at a time.
    maxConcurrency: 3,
    projects: [
      {
        plugins: [messages()],
        test: {
          name: 'unit',
          include: unitTests,
          exclude: [...never, ...isolated, ...longUnitTests],
          isolate: false,
          setupFiles: 'server/test/support/undo-stubs.ts',
          execArgv: youngHeap,
          maxWorkers: workers,
          expect: patient,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        plugins: [messages()],
        test: {
          name: 'unit-isolated',
          include: isolated,
          exclude: never,
          maxWorkers: workers,
          expect: patient,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'in-process',
          include: inProcess,
          exclude: [...never, ...long],
          // Loading the service takes longer than most files do.
          isolate: false,
          ...beforeBrowsers,
        },
      },
      {
        test: {
          name: 'in-process-long',
          include: [...long, ...longUnitTests],
          exclude: notMounting,
          isolate: false,
          ...beforeBrowsers,
        },
      },
      ...(mountingPool
        ? [{ test: { name: 'mounting', include: mounting, exclude: never, pool: mountingPool, ...beforeBrowsers } }]
        : []),
      {
        test: {
          name: 'service',
          include: ['server/test/**/*.test.ts'],
          exclude: [...notMounting, ...inProcess],
          isolate: false,
          ...beforeBrowsers,
        },
      },
      {
        test: {
          name: 'browser',
          include: inBrowser,
          exclude: never,
          isolate: false,
          ...wholeService,
          maxWorkers: browsing,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
