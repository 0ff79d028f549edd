import { mkdirSync, writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { stringify } from 'yaml'
import { end, printed, startNode, type Core } from './process.ts'

const root = resolve(import.meta.dirname, '..')

/** Node arguments for the measured service, for example `--cpu-prof` to profile it. */
const nodeArgs = (process.env['BENCH_NODE_ARGS'] ?? '').split(' ').filter(Boolean)

/** The service in its own process, as in production. */
export interface Service {
  readonly pid: number
  readonly gatePort: number
  readonly internalPort: number
  /** Creates and signs in a user. @returns the headers of the user's requests. */
  user(name: string, role: string): Promise<{ cookie: string }>
  /** Sends a request to the internal port. @throws Error unless it succeeds. */
  manage(method: string, path: string, body?: object): Promise<void>
  stop(): Promise<void>
}

export const password = 'correct horse battery staple'

export interface Sandbox {
  readonly dir: string
  readonly configDir: string
  readonly mediaDir: string
  readonly gatePort: number
  readonly internalPort: number
  /** Whether the gate uses TLS. */
  readonly tls: boolean
}

/** A folder with a config.yml, for {@link startService}. Plain HTTP, so that the gate is measured and not TLS. */
export async function createSandbox(dir: string, config: object, tls = false): Promise<Sandbox> {
  const [gatePort, internalPort] = [await freePort(), await freePort()]
  const sandbox = {
    dir,
    configDir: join(dir, 'config'),
    mediaDir: join(dir, 'media'),
    gatePort,
    internalPort: internalPort,
    tls,
  }
  mkdirSync(sandbox.configDir, { recursive: true })
  mkdirSync(sandbox.mediaDir, { recursive: true })
  const networking = {
    gate: { host: '127.0.0.1', port: gatePort },
    internal: { host: '127.0.0.1', port: internalPort },
  }
  writeFileSync(join(sandbox.configDir, 'config.yml'), stringify({ networking, tls: { enabled: tls }, ...config }))
  return sandbox
}

/** Starts the process without waiting for it. */
export const spawnService = ({ dir, configDir, mediaDir }: Sandbox, core: Core, env: Record<string, string> = {}) =>
  startNode([...nodeArgs, join(root, 'server/start.mjs')], {
    core,
    cwd: dir,
    env: {
      CONFIG_DIR: configDir,
      MEDIA_DIR: mediaDir,
      CREDENTIALS_DIRECTORY: join(dir, 'none'),
      APP_OPTIONS_FILE: join(dir, 'none.json'),
      // The same as in `npm start`.
      MALLOC_ARENA_MAX: '2',
      ...env,
    },
  })

export async function startService(
  sandbox: Sandbox,
  core: Core = 'measured',
  env: Record<string, string> = {},
): Promise<Service> {
  const { gatePort, internalPort, tls } = sandbox
  const child = spawnService(sandbox, core, env)
  await printed(child, /service ready/)
  return {
    pid: child.pid ?? 0,
    gatePort,
    internalPort,
    async user(name, role) {
      await ask(internalPort, 'POST', '/api/users', { username: name, password, role })
      return { cookie: await signIn(gatePort, { user: name, password }, tls) }
    },
    manage: async (method, path, body) => void (await ask(internalPort, method, path, body)),
    stop: () => end(child),
  }
}

/** @returns the cookie of the session */
async function signIn(port: number, login: object, tls: boolean): Promise<string> {
  const options = { host: '127.0.0.1', port, path: '/api/login', method: 'POST', rejectUnauthorized: false }
  const request = (tls ? httpsRequest : httpRequest)({ ...options, headers: { 'content-type': 'application/json' } })
  const responded = once(request, 'response')
  request.end(JSON.stringify(login))
  const [response] = (await responded) as [IncomingMessage]
  response.resume()
  const [cookie] = (response.headers['set-cookie']?.[0] ?? '').split(';')
  if (response.statusCode !== 200 || !cookie) throw new Error(`sign-in: ${response.statusCode}`)
  return cookie
}

const ask = async (port: number, method: string, path: string, body?: object): Promise<Response> => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response
}

/** Cameras that are configured but not pulled. */
export const quietCameras = (names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, { source: 'demo:yard', enabled: false }]))

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
