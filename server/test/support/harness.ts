import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  readFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  utimesSync,
} from 'node:fs'
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { Writable } from 'node:stream'
import { createSecureContext } from 'node:tls'
import { WebSocket, type ClientOptions } from 'ws'
import { stringify } from 'yaml'
import { startApp } from '../../src/app.ts'
import type { Surroundings } from '../../src/app/core.ts'
import { StartError } from '../../src/shared/errors.ts'
import { startMuxingThread } from '../../src/exports/muxing/muxing-thread.ts'
import { createHashingProcess } from '../../src/users/password/hashing-process.ts'
import { createHashingProcess as createCheapHashing } from './cheap-hashing.ts'
import { onThisTestFinished } from './cleanups.ts'
import { writeFirstStart } from './first-start.ts'
import type { HeldExports } from './held-exports.ts'
import { createTestClock, type TestClock } from './test-clock.ts'
import { wait } from './wait.ts'

/** A running service, on free ports, in its own folder. */
export interface Service {
  readonly dir: string
  readonly configDir: string
  readonly mediaDir: string
  readonly configFile: string
  readonly gatePort: number
  readonly internalPort: number
  /** The output so far. */
  output(): string
  /** Waits for a line of output. */
  printed(pattern: RegExp, milliseconds?: number): Promise<RegExpExecArray>
  readonly gate: TestClient
  readonly internal: TestClient
  /** The first admin, signed in with the printed password. */
  admin(): Promise<TestClient>
  /** A user created by the admin and signed in; the same one for the same name. */
  user(name: string, role?: string): Promise<TestClient>
  /** Stops the service and waits until it has stopped. @returns the exit status */
  stop(): Promise<number | null>
  /** Starts it again with the same folder and ports. */
  restart(changes?: Partial<ConfigOptions>): Promise<Service>
}

/** The service in its own process, as users run it. For tests of boot, signals, kills and the environment. */
export interface Gatehouse extends Service {
  readonly process: ChildProcess
  kill(): Promise<void>
  restart(changes?: Partial<StartOptions>): Promise<Gatehouse>
}

/** The service in the process of the test. Starts in a tenth of the time, and the test can move its clock. */
export interface InProcessService extends Service {
  readonly clock: TestClock
  /**
   * Stops the service, and puts its folders back to the moment before, which is what a kill would leave. Child processes
   * are ended, and what was written to PostgreSQL stays.
   */
  kill(): Promise<void>
  /** Keeps the clock, too. */
  restart(changes?: Partial<InProcessOptions>): Promise<InProcessService>
}

export interface Reply {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** As sent: name, value, name, value … */
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
  readonly text: string
  /** The body, parsed as JSON. */
  readonly json: unknown
  /** Every `Set-Cookie`. */
  readonly cookies: readonly string[]
}

export type Headers = OutgoingHttpHeaders | readonly string[]

export interface RequestOptions {
  readonly headers?: Headers
  /** An object is sent as JSON, text unchanged. */
  readonly body?: unknown
  /** For an endless response such as events: resolves with the head and closes the response. Otherwise waits for the end. */
  readonly headOnly?: boolean
}

/** A client of one port, with the same headers in each request. */
export interface TestClient {
  readonly port: number
  readonly base: string
  readonly headers: OutgoingHttpHeaders
  request(method: string, path: string, options?: RequestOptions): Promise<Reply>
  get(path: string, headers?: Headers): Promise<Reply>
  post(path: string, body?: unknown, headers?: Headers): Promise<Reply>
  put(path: string, body?: unknown, headers?: Headers): Promise<Reply>
  delete(path: string, headers?: Headers): Promise<Reply>
  /** Opens a WebSocket; the caller waits until it is open. */
  socket(path: string, options?: ClientOptions): WebSocket
  with(headers: OutgoingHttpHeaders): TestClient
}

/** A client that keeps the token of its login. */
export interface SignedIn extends TestClient {
  readonly token: string
}

export interface ConfigOptions {
  /** config.yml, as text or as an object; missing ports are added. undefined: no file is written. */
  readonly config: string | Record<string, unknown> | undefined
  readonly env: Record<string, string>
  /** Files to write into the config folder before the start. */
  readonly files: Record<string, string>
  /** Hashes passwords as the service does: a fifth of a second for each, in a process of its own. */
  readonly realHashes: boolean
  /** The service creates its tables and its certificates itself; otherwise it finds them, empty and unused. */
  readonly fresh: boolean
  /** A stopped service: the new one starts with a copy of its folders. */
  readonly copyOf: Pick<Service, 'configDir' | 'mediaDir' | 'gatePort' | 'internalPort'>
  /** Can block the service's exports. */
  readonly held: HeldExports
}

export interface InProcessOptions extends ConfigOptions {
  /** Hashes passwords, instead of the cheap function. */
  readonly createHashing: Surroundings['createHashing']
}

export interface StartOptions extends ConfigOptions {
  /** The file that starts the service, instead of the one that starts it from its sources. */
  readonly entry: string
  /** false: return as soon as the process runs, for starts that should fail. */
  readonly ready: boolean
}

const root = resolve(import.meta.dirname, '../../..')

export const password = 'correct horse battery staple'

/** Three cheap cameras: configured, but not pulled. */
export const quietCameras = Object.fromEntries(
  ['yard', 'door', 'office'].map((name) => [name, { source: `demo:${name}`, enabled: false }]),
)

/** Starts the service in its own process. */
export async function startGatehouse(options: Partial<StartOptions> = {}): Promise<Gatehouse> {
  const sandbox = await createSandbox()
  // Every process that runs on this folder, restarted ones too.
  const runs: Gatehouse[] = []
  onTestFinishedOrLater(async () => {
    await Promise.all(runs.map((each) => each.kill()))
    sandbox.remove()
  })
  await populate(sandbox, options)
  return runProcess(sandbox, options, runs)
}

/**
 * Starts the service in this process. Its clock runs and can be moved; passwords are hashed with a cheap function. Two
 * services share nothing but the process.
 */
export async function startService(
  options: Partial<InProcessOptions> = {},
  clock = createTestClock({ now: Date.now(), runs: true }),
): Promise<InProcessService> {
  const sandbox = await createSandbox()
  const runs: Service[] = []
  onTestFinishedOrLater(async () => {
    await Promise.all(runs.map((each) => each.stop()))
    sandbox.remove()
  })
  await populate(sandbox, options)
  return runInProcess(sandbox, options, clock, runs)
}

/** How a start failed. */
class StartFailure extends Error {
  /** The exit status that the process would have. */
  readonly status: number
  /** What it would print: the log, and the reason. */
  readonly output: string

  constructor({ status, message }: StartError, log: string) {
    super(message)
    this.status = status
    this.output = `${log}${message}\n`
  }
}

/** A start that should fail, and leave no timer behind. */
export async function failedStart(options: Partial<InProcessOptions>): Promise<StartFailure> {
  const clock = createTestClock({ now: Date.now(), runs: true })
  return failureOf(startService(options, clock), clock)
}

/** The same with the folder of a service, which is stopped first. */
export const failedRestart = (
  service: InProcessService,
  changes: Partial<InProcessOptions> = {},
): Promise<StartFailure> => failureOf(service.restart(changes), service.clock)

async function failureOf(start: Promise<unknown>, clock: TestClock): Promise<StartFailure> {
  const error: unknown = await start.catch((cause: unknown) => cause)
  if (clock.pending() > 0) throw new Error(`the failed start left ${clock.pending()} timers`)
  if (error instanceof StartFailure) return error
  throw new Error('the service started, or failed in another way', { cause: error })
}

interface Sandbox {
  readonly dir: string
  readonly configDir: string
  readonly mediaDir: string
  readonly configFile: string
  readonly gatePort: number
  readonly internalPort: number
  remove(): void
}

async function createSandbox(): Promise<Sandbox> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  const [gatePort, internalPort] = await Promise.all([freePort(), freePort()])
  const configDir = join(dir, 'config')
  const mediaDir = join(dir, 'media')
  return {
    dir,
    configDir,
    mediaDir,
    configFile: join(configDir, 'config.yml'),
    gatePort,
    internalPort,
    remove() {
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Runs after the test, or in `stopAll` if a hook calls this (beforeAll). */
export function onTestFinishedOrLater(clean: () => Promise<void>): void {
  try {
    onThisTestFinished(clean)
  } catch {
    leftovers.push(clean)
  }
}
const leftovers: (() => Promise<void>)[] = []

/** For afterAll: stops everything that beforeAll started. */
export async function stopAll(): Promise<void> {
  await Promise.all(leftovers.splice(0).map((clean) => clean()))
}

/** Fills the folder of a service before its first start. */
async function populate(sandbox: Sandbox, { fresh, copyOf }: Partial<ConfigOptions>): Promise<void> {
  const { configDir, configFile, gatePort, internalPort } = sandbox
  if (copyOf) {
    for (const folder of ['configDir', 'mediaDir'] as const) {
      cpSync(copyOf[folder], sandbox[folder], { recursive: true, preserveTimestamps: true })
    }
    const text = readFileSync(configFile, 'utf8')
      .replace(`port: ${copyOf.gatePort}`, `port: ${gatePort}`)
      .replace(`port: ${copyOf.internalPort}`, `port: ${internalPort}`)
    prepare(sandbox, { config: text })
  } else if (!fresh) await writeFirstStart(configDir)
}

/** A start waits until the file has been unchanged for a second. */
function age(file: string): void {
  const before = new Date(Date.now() - 60_000)
  utimesSync(file, before, before)
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Writes the files of a service before it starts. */
function prepare(sandbox: Sandbox, options: Partial<ConfigOptions>): void {
  const { configDir, mediaDir, configFile, gatePort, internalPort } = sandbox
  mkdirSync(configDir, { recursive: true })
  mkdirSync(mediaDir, { recursive: true })
  for (const [name, text] of Object.entries(options.files ?? {})) writeFileSync(join(configDir, name), text)
  const config = 'config' in options ? options.config : existsSync(configFile) ? undefined : {}
  if (typeof config === 'string') writeFileSync(configFile, config)
  else if (config) {
    const networking = {
      gate: { host: '127.0.0.1', port: gatePort },
      internal: { host: '127.0.0.1', port: internalPort },
      ...(config['networking'] as object | undefined),
    }
    writeFileSync(configFile, stringify({ cameras: quietCameras, ...config, networking }))
  }
  const isFile = statSync(configFile, { throwIfNoEntry: false })?.isFile() ?? false
  if (isFile && isWritable(configDir)) age(configFile)
}

const environmentOf = ({ dir, configDir, mediaDir }: Sandbox, more: Record<string, string> = {}) => ({
  PATH: process.env['PATH'],
  HOME: dir,
  CREDENTIALS_DIRECTORY: join(dir, 'secrets'),
  APP_OPTIONS_FILE: join(dir, 'options.json'),
  CONFIG_DIR: configDir,
  MEDIA_DIR: mediaDir,
  ...more,
})

/** The output of a service, and how to wait for a line of it. */
function createTranscript(hasEnded: () => boolean) {
  let text = ''
  const listeners = new Set<() => void>()
  const wake = (): void => {
    for (const listener of listeners) listener()
    listeners.clear()
  }
  return {
    take(chunk: Buffer) {
      text += chunk.toString()
      wake()
    },
    wake,
    text: () => text,
    async printed(pattern: RegExp, milliseconds = 240_000): Promise<RegExpExecArray> {
      const until = Date.now() + milliseconds
      for (;;) {
        const match = pattern.exec(text)
        if (match) return match
        if (hasEnded() || Date.now() > until)
          throw new Error(`${String(pattern)} was not printed; the output ends with:\n${text.slice(-2000)}`)
        await Promise.race([
          wait(50, 'looks again whether the service has ended'),
          new Promise<void>((resume) => listeners.add(resume)),
        ])
      }
    },
  }
}

type Transcript = ReturnType<typeof createTranscript>

/** The clients of a running service. */
function clientsOf({ configFile, gatePort, internalPort }: Sandbox, { printed }: Transcript) {
  const plain = /tls:\s*\{?\s*enabled: false/.test(existsSync(configFile) ? readFileSync(configFile, 'utf8') : '')
  const gate = client(gatePort, plain ? 'http' : 'https', {})
  const internal = client(internalPort, 'http', {})
  const people = new Map<string, Promise<TestClient>>()
  const onlyOnce = (name: string, make: () => Promise<TestClient>): Promise<TestClient> => {
    const known = people.get(name) ?? make()
    people.set(name, known)
    return known
  }
  return {
    gate,
    internal,
    admin: () =>
      onlyOnce('admin', async () => {
        const [, printedPassword = ''] = await printed(/password:?\s+(\S+)/i)
        return signIn(gate, 'admin', printedPassword)
      }),
    user: (name: string, role = 'viewer') =>
      onlyOnce(name, async () => {
        const made = await internal.post('/api/users', { username: name, password, role })
        if (made.status !== 201) throw new Error(`${name} was not created: ${made.text}`)
        return signIn(gate, name, password)
      }),
  }
}

async function runProcess(sandbox: Sandbox, options: Partial<StartOptions>, runs: Gatehouse[]): Promise<Gatehouse> {
  prepare(sandbox, options)
  const preloaded = [
    ...(options.realHashes ? [] : ['cheap-hashing.mjs']),
    ...(options.held ? ['held-exports.mjs'] : []),
  ]
  const preload = preloaded.flatMap((file) => ['--import', join(import.meta.dirname, file)])
  const child = spawn(process.execPath, [...preload, options.entry ?? join(root, 'server/start-sources.mjs')], {
    cwd: sandbox.dir,
    env: environmentOf(sandbox, { ...options.env, ...options.held?.env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let ended = false
  const transcript = createTranscript(() => ended)
  child.stdout.on('data', transcript.take)
  child.stderr.on('data', transcript.take)
  child.once('exit', () => {
    ended = true
    transcript.wake()
  })
  const gatehouse: Gatehouse = {
    ...sandbox,
    ...clientsOf(sandbox, transcript),
    process: child,
    output: transcript.text,
    printed: transcript.printed,
    async stop() {
      if (ended) return child.exitCode
      child.kill('SIGTERM')
      const [code] = (await once(child, 'exit')) as [number | null]
      return code
    },
    async kill() {
      if (ended) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    async restart(changes = {}) {
      await gatehouse.stop()
      return runProcess(sandbox, { ...options, config: undefined, ...changes }, runs)
    },
  }
  runs.push(gatehouse)
  if (options.ready !== false) await transcript.printed(/"?ready"?/)
  return gatehouse
}

async function runInProcess(
  sandbox: Sandbox,
  options: Partial<InProcessOptions>,
  clock: TestClock,
  runs: Service[],
): Promise<InProcessService> {
  prepare(sandbox, options)
  let stopping: Promise<void> | undefined
  const transcript = createTranscript(() => stopping !== undefined)
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      transcript.take(chunk)
      done()
    },
  })
  const { createHashing = options.realHashes ? createHashingProcess : createCheapHashing } = options
  const { startMuxer = startMuxingThread } = options.held ?? {}
  const env = environmentOf(sandbox, options.env)
  const app = await startApp({ env, output, clock, createHashing, startMuxer }).catch((error: unknown) => {
    throw error instanceof StartError ? new StartFailure(error, transcript.text()) : error
  })
  const service: InProcessService = {
    ...sandbox,
    ...clientsOf(sandbox, transcript),
    clock,
    output: transcript.text,
    printed: transcript.printed,
    async stop() {
      await (stopping ??= app.stop())
      return 0
    },
    async kill() {
      const { dir, configDir, mediaDir } = sandbox
      const left = join(dir, 'left')
      mkdirSync(left)
      execFileSync('cp', ['--archive', '--reflink=auto', configDir, mediaDir, left])
      await service.stop()
      for (const folder of [configDir, mediaDir]) {
        rmSync(folder, { recursive: true })
        renameSync(join(left, basename(folder)), folder)
      }
      rmSync(left, { recursive: true })
    },
    async restart(changes = {}) {
      await service.stop()
      return runInProcess(sandbox, { ...options, config: undefined, ...changes }, clock, runs)
    },
  }
  runs.push(service)
  return service
}

/** Signs in and keeps the cookie. */
export async function signIn(at: TestClient, user: string, secret: string = password): Promise<SignedIn> {
  const answer = await at.post('/api/login', { user, password: secret })
  if (answer.status !== 200) throw new Error(`${user} could not sign in: ${answer.status} ${answer.text}`)
  const token = tokenIn(answer)
  return { ...at.with({ cookie: `gatehouse_token=${token}` }), token }
}

/** `If-None-Match` headers that all match a version, in different notations. */
export const namingVersion = (etag: string): readonly string[] => [
  etag,
  `W/${etag}`,
  '*',
  `"another", ${etag}`,
  `${etag},"another"`,
  `"another" , W/${etag}`,
]

/** The session token in a response's first cookie; empty if the cookie was cleared. */
export function tokenIn(answer: Reply): string {
  return /^[^=]+=([^;]*)/.exec(answer.cookies[0] ?? '')?.[1] ?? ''
}

/** Each request has its own connection. Over TLS, it resumes the session of the first, with the same context. */
const resuming = new HttpsAgent({ keepAlive: false, secureContext: createSecureContext() })

const endless = /^(?:text\/event-stream|multipart\/x-mixed-replace)/

export function client(
  port: number,
  protocol: 'http' | 'https',
  headers: OutgoingHttpHeaders,
  host = '127.0.0.1',
): TestClient {
  const base = `${protocol}://${host}:${port}`
  const request: TestClient['request'] = (method, path, { headers: more = {}, body, headOnly } = {}) =>
    new Promise((done, fail) => {
      const payload =
        body === undefined ? undefined : typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
      const json = payload !== undefined && typeof body === 'object' && !Buffer.isBuffer(body)
      const all = Array.isArray(more)
        ? [
            'host',
            `${host}:${port}`,
            ...pairs(headers),
            ...(payload === undefined ? [] : ['content-length', String(Buffer.byteLength(payload))]),
            ...(json ? ['content-type', 'application/json'] : []),
            ...more,
          ]
        : { ...(json && { 'content-type': 'application/json' }), ...headers, ...(more as OutgoingHttpHeaders) }
      const [send, agent] = protocol === 'https' ? [httpsRequest, resuming] : [httpRequest, false as const]
      const outgoing = send(
        { host, port, method, path, headers: all as OutgoingHttpHeaders, rejectUnauthorized: false, agent },
        (incoming) => {
          if (headOnly && endless.test(incoming.headers['content-type'] ?? '')) {
            done(reply(incoming, Buffer.alloc(0)))
            outgoing.destroy()
            return
          }
          const chunks: Buffer[] = []
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
          incoming.on('error', fail)
          incoming.on('end', () => done(reply(incoming, Buffer.concat(chunks))))
        },
      )
      outgoing.on('error', fail)
      outgoing.end(payload)
    })
  return {
    port,
    base,
    headers,
    request,
    get: (path, more) => request('GET', path, { ...(more && { headers: more }) }),
    post: (path, body, more) => request('POST', path, { body, ...(more && { headers: more }) }),
    put: (path, body, more) => request('PUT', path, { body, ...(more && { headers: more }) }),
    delete: (path, more) => request('DELETE', path, { ...(more && { headers: more }) }),
    socket: (path, options = {}) =>
      new WebSocket(`${base.replace(/^http/, 'ws')}${path}`, {
        rejectUnauthorized: false,
        ...options,
        headers: { ...(headers as Record<string, string>), ...options.headers },
      }),
    with: (more) => client(port, protocol, { ...headers, ...more }, host),
  }
}

const pairs = (headers: OutgoingHttpHeaders): string[] =>
  Object.entries(headers).flatMap(([name, value]) => [name, String(value)])

function reply(incoming: IncomingMessage, body: Buffer): Reply {
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    rawHeaders: incoming.rawHeaders,
    body,
    get text() {
      return body.toString('utf8')
    },
    get json() {
      return JSON.parse(body.toString('utf8')) as unknown
    },
    cookies: incoming.headers['set-cookie'] ?? [],
  }
}

/**
 * Picks ports below the range for outgoing connections, in a separate range for each worker and never twice, so that a
 * port that is free now is still free when a slowly starting service binds it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = portsFrom + (nextPort++ % portsOfAWorker)
    if (await isFree(port)) return port
  }
}

const portsOfAWorker = 2500
const portsFrom = 10_000 + portsOfAWorker * (Number(process.env['VITEST_POOL_ID'] ?? 0) % 9)
let nextPort = Math.floor(Math.random() * portsOfAWorker)

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const listening = new Promise<boolean>((answer) => {
    server.once('listening', () => answer(true))
    server.once('error', () => answer(false))
  })
  server.listen(port)
  if (!(await listening)) return false
  server.close()
  await once(server, 'close')
  return true
}
