import { spawn, type ChildProcess } from 'node:child_process'
import { join, resolve } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { runCommand } from '../../src/cli/run-command.ts'

export const commandFile = resolve(import.meta.dirname, '../../bin/gatehouse.mjs')

export interface CommandOptions {
  readonly env?: Record<string, string>
  readonly cwd?: string
  /** Standard input. */
  readonly input?: string
  /** The file to run, if not the command itself. */
  readonly file?: string
}

export interface CommandResult {
  readonly status: number | null
  readonly output: string
  readonly errors: string
}

interface HasFolders {
  readonly configDir: string
  readonly mediaDir: string
}

/** The folders of a service, as environment of the command. */
export const foldersOf = ({ configDir, mediaDir }: HasFolders): Record<string, string> => ({
  CONFIG_DIR: configDir,
  MEDIA_DIR: mediaDir,
  CREDENTIALS_DIRECTORY: join(configDir, '../secrets'),
})

/** Starts the command `gatehouse` as users run it. */
export function startCommand(words: readonly string[], { env, cwd, input, file }: CommandOptions = {}): ChildProcess {
  const child = spawn(file ?? commandFile, words, {
    cwd: cwd ?? '/',
    env: { PATH: process.env['PATH'], ...env },
    stdio: 'pipe',
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(input ?? '')
  return child
}

/** Runs it to its end. */
export function gatehouse(words: readonly string[], options?: CommandOptions): Promise<CommandResult> {
  const child = startCommand(words, options)
  let [output, errors] = ['', '']
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const { promise, resolve: done, reject } = Promise.withResolvers<CommandResult>()
  child.once('error', reject)
  child.once('close', (status) => done({ status, output, errors }))
  return promise
}

/**
 * Runs it to its end in the process of the test, which saves half a second of CPU time: for what doesn't depend on
 * the process, such as a refusal.
 */
export async function gatehouseHere(
  words: readonly string[],
  { env, input }: Pick<CommandOptions, 'env' | 'input'> = {},
): Promise<CommandResult> {
  const [output, errors] = [collector(), collector()]
  const status = await runCommand(words, {
    env: { PATH: process.env['PATH'], ...env },
    input: Readable.from([input ?? '']),
    output: output.stream,
    errors: errors.stream,
    startService: () => Promise.reject(new Error('a service needs its own process')),
  })
  return { status, output: output.text(), errors: errors.text() }
}

function collector() {
  let text = ''
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString()
      done()
    },
  })
  return { stream, text: () => text }
}
