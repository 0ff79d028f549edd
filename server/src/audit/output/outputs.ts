import { isDeepStrictEqual } from 'node:util'
import { resolve } from 'node:path'
import type { Random } from '../../shared/random.ts'
import type { Runtime } from '../../shared/runtime.ts'
import type { Store } from '../../store/store.ts'
import { fileTarget } from './file-target.ts'
import type { AuditOutput, AuditOutputs } from './output.config.ts'
import { outputStore, type OutputStore } from './output-store.ts'
import { createOutputWriter, type OutputStatus, type OutputWriter } from './output-writer.ts'
import { syslogTarget } from './syslog-target.ts'

/** Milliseconds that a stop waits for outputs. */
const stopTimeout = 1_500

export interface AuditOutputsRunning {
  /** Takes up the outputs of a new configuration. */
  apply(settings: AuditOutputs): void
  status(): OutputStatus[]
  readonly countDeleted: OutputStore['countDeleted']
  stop(): Promise<void>
}

export interface OutputsDeps extends Runtime {
  readonly store: Pick<Store, 'db' | 'audit'>
  readonly random: Random
  /** Folder of relative paths. */
  readonly configDir: string
}

/** Writes the audit log to the outputs of the configuration, off the path of every request. */
export function createOutputs({ store, configDir, ...deps }: OutputsDeps): AuditOutputsRunning {
  const positions = outputStore(store)
  const writers = new Map<string, { readonly settings: AuditOutput; readonly writer: OutputWriter }>()
  let applied: Promise<unknown> = Promise.resolve()
  let stopped = false

  const targetOf = (settings: AuditOutput) =>
    settings.type === 'syslog'
      ? syslogTarget(settings)
      : fileTarget({ path: resolve(configDir, settings.path ?? ''), format: settings.format })
  const wakeAll = () => {
    for (const { writer } of writers.values()) writer.wake()
  }
  const unsubscribe = store.audit.onNumbered(() => setImmediate(wakeAll))

  /** An output whose settings changed continues where it was. */
  const take = async (next: AuditOutputs) => {
    const ended = [...writers].filter(([name, { settings }]) => !isDeepStrictEqual(next.get(name), settings))
    await Promise.all(ended.map(([, { writer }]) => writer.stop()))
    for (const [name] of ended) writers.delete(name)
    await positions
      .keepOnly([...next.keys()])
      .catch((error: unknown) => deps.log.warn({ err: error }, 'failed to forget removed audit outputs'))
    if (stopped) return
    for (const [name, settings] of next) {
      if (writers.has(name)) continue
      const writer = createOutputWriter({ ...deps, name, target: targetOf(settings), store: positions })
      writers.set(name, { settings, writer })
      writer.wake()
    }
  }

  return {
    apply(next) {
      applied = applied.then(() => take(next))
    },
    status: () => [...writers.values()].map(({ writer }) => writer.status()),
    countDeleted: positions.countDeleted,
    async stop() {
      stopped = true
      unsubscribe()
      const { promise: late, resolve: stopWaiting } = Promise.withResolvers<void>()
      const stopTimer = deps.clock.after(stopTimeout, stopWaiting)
      const done = applied.then(() => Promise.all([...writers.values()].map(({ writer }) => writer.stop())))
      await Promise.race([done, late]).finally(stopTimer)
    },
  }
}
