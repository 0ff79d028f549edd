// Runs in the worker, which keeps its modules from one try to the next: the list of tries says which mutant is on while a
// test file runs. The file is in the list of Vitest twice for each try, the second time without the mutant, which is
// skipped unless the first run failed.
import { appendFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { configureGlobal } from 'fast-check'
import {
  test,
  TestRunner,
  vi,
  type RunnerTask,
  type RunnerTestFile,
  type RunnerTestSuite,
  type TestTryOptions,
} from 'vitest'
import { outsideTests, whileImporting } from './measured-test.ts'
import { installSwitches } from './switches.ts'
import type { JournalLine, Try, TryResult } from './tries.ts'

const switches = installSwitches()
// The smallest example of a failure is not needed.
configureGlobal({ endOnFailure: true })

export default class extends TestRunner {
  readonly #tries = this.injectValue('tries') as readonly Try[]
  readonly #journal = this.injectValue('journal') as string
  readonly #killed = new Set<string>()
  #run = -1
  #began = 0
  #isSkipped = false
  /** Modules have been evaluated with a mutant. */
  #isMutated = false
  /** The title of the test that failed in this run. */
  #failure: string | undefined
  /** The title of the test that failed with the mutant. */
  #noticed: string | undefined
  /** Its id; undefined if something else failed. */
  #noticedBy: string | undefined
  /** No other test of this run is needed. */
  #isDone = false

  constructor(...parameters: ConstructorParameters<typeof TestRunner>) {
    super(...parameters)
    const failOutside = (error: unknown) => (this.#failure ??= `an error outside of a test: ${String(error)}`)
    process.on('unhandledRejection', failOutside).on('uncaughtException', failOutside)
  }

  onBeforeCollect(): void {
    this.#run += 1
    this.#began = performance.now()
    this.#failure = undefined
    this.#isDone = false
    if (!this.#isSecond) this.#noticedBy = undefined
    const { mutant, evaluates } = this.#try
    this.#isSkipped = this.#isSecond ? this.#noticed === undefined : this.#isKnown
    if (this.#isSkipped) return
    if (evaluates || this.#isMutated) vi.resetModules()
    this.#isMutated = evaluates && !this.#isSecond
    if (!this.#isSecond) this.#write({ at: this.#at })
    switches.turnOn(this.#isSecond ? null : mutant)
    switches.countFor(mutant === null ? whileImporting : undefined)
  }

  override importFile(...parameters: Parameters<TestRunner['importFile']>): unknown {
    if (!this.#isSkipped) return super.importFile(...parameters)
    test('is not needed', () => undefined)
    return undefined
  }

  onBeforeRunFiles(): void {
    this.#count(outsideTests)
  }

  override async onBeforeRunTask(task: RunnerTask): Promise<void> {
    if (this.#isDone) task.mode = 'skip'
    await super.onBeforeRunTask(task)
  }

  override onBeforeTryTask(task: RunnerTask, options: TestTryOptions): void {
    this.#count(task.id)
    super.onBeforeTryTask(task, options)
  }

  override onAfterRunTask(task: RunnerTask): void {
    this.#count(outsideTests)
    if (task.result?.state === 'fail' && this.#failure === undefined) {
      this.#failure = task.name
      if (!this.#isSecond) this.#noticedBy = task.id
    }
    this.#isDone = this.#failure !== undefined || (this.#isSecond && task.id === this.#noticedBy)
    super.onAfterRunTask(task)
  }

  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    await super.onAfterRunSuite(suite)
    // A rejected promise that is not awaited is reported now.
    if (suite.file === suite) await setImmediate()
  }

  override onAfterRunFiles(files: RunnerTestFile[]): void {
    super.onAfterRunFiles(files)
    switches.countFor(undefined)
    switches.turnOn(null)
    const failed = files.find(({ result }) => result?.state === 'fail')
    if (failed) this.#failure ??= failed.result?.errors?.[0]?.message ?? 'a hook failed'
    if (!this.#isSecond) this.#noticed = this.#isSkipped ? undefined : this.#failure
    if (this.#isSecond || this.#noticed === undefined) this.#end()
    if (this.#isSecond) this.#noticed = undefined
  }

  #end(): void {
    const { mutant } = this.#try
    if (this.#isSecond && this.#isSkipped) return
    const result = this.#result()
    if (result === 'failed') this.#killed.add(JSON.stringify(mutant))
    this.#write({
      at: this.#at,
      result: {
        result,
        test: this.#noticed,
        seconds: (performance.now() - this.#began) / 1000,
        ...(mutant === null && { reached: switches.takeReached() }),
      },
    })
  }

  #result(): TryResult['result'] {
    if (!this.#isSecond) return this.#isSkipped ? 'known' : 'passed'
    return this.#failure === undefined ? 'failed' : 'unsure'
  }

  #count(id: string): void {
    if (this.#try.mutant === null) switches.countFor(id)
  }
  #write(line: JournalLine): void {
    appendFileSync(this.#journal, `${JSON.stringify(line)}\n`)
  }
  get #at(): number {
    return this.#run >> 1
  }
  get #isSecond(): boolean {
    return this.#run % 2 === 1
  }
  get #try(): Try {
    const found = this.#tries[this.#at]
    if (!found) throw new Error('more runs than tries')
    return found
  }
  get #isKnown(): boolean {
    const { mutant } = this.#try
    return mutant !== null && this.#killed.has(JSON.stringify(mutant))
  }
}
