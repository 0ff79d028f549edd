import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { writeFirstStart } from './first-start.ts'
import { onAllStopped } from './cleanups.ts'
import { freePort, isFree } from './free-port.ts'
import { quietCameras } from './quiet-cameras.ts'
import type { ConfigOptions } from './service.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The folder of a service, and free ports for it. */
export interface Sandbox {
  readonly dir: string
  readonly configDir: string
  readonly mediaDir: string
  readonly configFile: string
  readonly gatePort: number
  readonly internalPort: number
}

type Ports = Pick<Sandbox, 'gatePort' | 'internalPort'>

/** Of services that have stopped; undefined: they are used no more. */
let formerPorts: Ports[] | undefined

/** From now on, services of this process have the ports of stopped ones: a browser has their scripts in its caches. */
export const reusePorts = (): void => void (formerPorts ??= [])

async function portsOfService(): Promise<Ports> {
  const former = formerPorts?.pop()
  const areFree = former && (await Promise.all(Object.values(former).map(isFree))).every(Boolean)
  const ports = areFree ? former : { gatePort: await freePort(), internalPort: await freePort() }
  onAllStopped(() => formerPorts?.push(ports))
  return ports
}

/** Removed with everything in it after the test, or by `stopAll`; stop the service in it before. */
export async function createSandbox(): Promise<Sandbox> {
  const dir = temporaryFolder()
  const { gatePort, internalPort } = await portsOfService()
  const configDir = join(dir, 'config')
  const mediaDir = join(dir, 'media')
  return {
    dir,
    configDir,
    mediaDir,
    configFile: join(configDir, 'config.yml'),
    gatePort,
    internalPort,
  }
}

/** Fills the folder of a service before its first start. */
export async function populate(sandbox: Sandbox, { fresh, copyOf }: Partial<ConfigOptions>): Promise<void> {
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

/** The service waits at startup until the file has been unchanged for a second. */
function age(file: string): void {
  const before = new Date(Date.now() - 60_000)
  if (statSync(file).mtime > before) utimesSync(file, before, before)
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
export function prepare(sandbox: Sandbox, options: Partial<ConfigOptions>): void {
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

export const environmentOf = ({ dir, configDir, mediaDir }: Sandbox, more: Record<string, string> = {}) => ({
  PATH: process.env['PATH'],
  HOME: dir,
  CREDENTIALS_DIRECTORY: join(dir, 'secrets'),
  APP_OPTIONS_FILE: join(dir, 'options.json'),
  CONFIG_DIR: configDir,
  MEDIA_DIR: mediaDir,
  ...more,
})
