import type { HeldExports } from './held-exports.ts'
import type { TestClient } from './test-client.ts'

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

export interface ConfigOptions {
  /** config.yml, as text or as an object; missing ports are added. undefined: no file is written. */
  readonly config: string | Record<string, unknown> | undefined
  readonly env: Record<string, string>
  /** Files to write into the config folder before the start. */
  readonly files: Record<string, string>
  /** Hashes passwords as the service does: a fifth of a second for each, in its own process. */
  readonly realHashes: boolean
  /** The service creates its tables and its certificates itself; otherwise it finds them, empty and unused. */
  readonly fresh: boolean
  /** A stopped service: the new one starts with a copy of its folders. */
  readonly copyOf: Pick<Service, 'configDir' | 'mediaDir' | 'gatePort' | 'internalPort'>
  /** Can block the service's exports. */
  readonly held: HeldExports
}
