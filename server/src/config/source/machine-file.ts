import { ServiceError, StartError } from '../../shared/errors.ts'
import type { Runtime } from '../../shared/runtime.ts'
import { readConfigText } from '../text/config-text.ts'
import { openFileSource, type FileSourceDeps } from './file-source.ts'
import { schemaAt } from '../key.ts'
import { isWhole, type ConfigFormat, type ValidConfig } from '../load.ts'
import { splitConfig, type DividedConfig } from './machine-sections.ts'
import { problemLines } from '../problem-collector.ts'
import { notRead, reportOnce } from '../report-once.ts'
import { readFailure } from '../../shared/files/read-failure.ts'
import { startStatus } from '../../shared/files/start-status.ts'

/** A config.yml of which only the sections of the machine are used. */
export interface MachineFile<C> {
  /** The sections of the machine; all others have their defaults. */
  now(): ValidConfig<C>
  /** The text, divided. */
  parts(): DividedConfig
  /** Starts watching the file. @param changed called after a valid change, until it returns true */
  watch(changed: () => Promise<boolean>): void
  stop(): Promise<void>
}

export interface MachineFileDeps<C> extends Runtime, FileSourceDeps {
  readonly format: ConfigFormat<C>
  /** The key that decides: with another value than its default, the sections of the machine are used alone. */
  readonly decidedBy: readonly [section: string, key: string]
}

/** The sections of the machine in a text; undefined if they have problems, or can't be divided from the others. */
export function loadMachine<C>(
  text: string,
  format: ConfigFormat<C>,
): { readonly config: ValidConfig<C>; readonly parts: DividedConfig } | undefined {
  const parts = divided(text, format)
  const config = parts && format.load(parts.machine)
  return config && isWhole(config) ? { config, parts } : undefined
}

function divided<C>(text: string, { schema }: ConfigFormat<C>): DividedConfig | undefined {
  try {
    return splitConfig(text, schema)
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

/** To divide a large file takes much longer than to load it, so it is read first, and only if it has the word at all. */
function isDecided<C>(text: string, { format, decidedBy }: Pick<MachineFileDeps<C>, 'format' | 'decidedBy'>): boolean {
  if (!text.includes(decidedBy[0])) return false
  const node = readConfigText(text, () => {})?.locate(decidedBy).node
  return node?.kind === 'scalar' && node.value !== schemaAt(format.schema, decidedBy).schema?.default
}

/**
 * Opens a config.yml for the sections of the machine. Waits until a file that is being written is complete.
 *
 * @returns undefined if the key that decides is missing or has its default, or if {@link loadMachine} can't use the file:
 *   to open it as a whole lists its problems
 * @throws StartError if the file can't be read
 */
export async function openMachineFile<C>(deps: MachineFileDeps<C>): Promise<MachineFile<C> | undefined> {
  const { file, format, log } = deps
  const source = await openFileSource<C>(deps)
  const first = await source.settled().catch((cause: unknown) => {
    const failure = cause instanceof ServiceError ? cause.cause : cause
    const message = `Couldn't read ${file} (${readFailure(file, failure)}).`
    throw new StartError(message, { status: startStatus(failure), cause })
  })
  const whole = first.bytes?.toString() ?? ''
  const loaded = isDecided(whole, deps) ? loadMachine(whole, format) : undefined
  if (!loaded) return undefined
  let { config, parts } = loaded
  let stopWatching: (() => Promise<void>) | undefined
  /** @returns whether the text is valid */
  const apply = (text: string): boolean => {
    const next = loadMachine(text, format)
    if (next) ({ config, parts } = next)
    else {
      const problems = problemLines(source.name, format.load(text).problems)
      log.error({ problems }, 'config invalid; keeping previous config')
    }
    return next !== undefined
  }

  return {
    now: () => config,
    parts: () => parts,
    watch(changed) {
      let { etag } = first
      /** A change that is not applied yet. */
      let isDue = false
      const report = reportOnce(log, notRead)
      stopWatching = source.watch({
        async found(read) {
          const text = await read()
          if (text?.bytes !== undefined && text.etag !== etag) {
            etag = text.etag
            isDue = apply(text.bytes.toString()) || isDue
          }
          if (isDue) isDue = !(await changed())
          report.succeeded()
          return !isDue
        },
        failed: report.failed,
      })
    },
    async stop() {
      await stopWatching?.()
    },
  }
}
