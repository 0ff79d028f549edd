import type { Described } from './accept.ts'
import { sourceKey, type FailingTest, type MeasuredTest, type Source } from './measured-test.ts'
import { planFor } from './plan.ts'
import { projects } from './projects.ts'
import type { Outcome, Outcomes } from './report.ts'
import type { TryRunner } from './run-tries.ts'
import type { SwitchedMutant, Try, TryResult } from './tries.ts'

/** A mutant as the run and its summary need it. */
export interface ListedMutant extends Described {
  readonly source: Source
  /** Its place in the list of the source's mutants. */
  readonly index: number
  /** File, line and column. */
  readonly place: string
}

export interface MutantRunOptions {
  readonly tests: readonly MeasuredTest[]
  /** Results so far; receives the new ones. A mutant that has been killed is not tried again. */
  readonly outcomes: Outcomes
  readonly runner: TryRunner
  /** Seconds of tests of each project that runs the service. */
  readonly budget: number
  /** Whether a test file imports a source. */
  readonly imports: (test: string, source: string) => boolean
  /** Called after each batch. */
  readonly save: () => void
  readonly log: (line: string) => void
}

export const keyOf = ({ source, index }: Pick<ListedMutant, 'source' | 'index'>): string =>
  switchKey({ source: sourceKey(source), index })

const switchKey = ({ source, index }: SwitchedMutant): string => `${source}:${index}`

interface Unsure extends Try, FailingTest {}

type Counts = Pick<Outcome, 'tests' | 'leftOut'>

/** The numbers of test files that ran, and of those that were left out, by mutant. */
function createCounts() {
  const counts = new Map<string, Counts>()
  const of = (key: string): Counts => counts.get(key) ?? { tests: 0, leftOut: 0 }
  const add = (key: string, { tests = 0, leftOut = 0 }: Partial<Counts>): void => {
    counts.set(key, { tests: of(key).tests + tests, leftOut: of(key).leftOut + leftOut })
  }
  return { of, add }
}

/** How many mutants of a source each test file has killed. */
function createKills(): (source: string) => Map<string, number> {
  const kills = new Map<string, Map<string, number>>()
  return (source) => {
    const known = kills.get(source) ?? new Map<string, number>()
    kills.set(source, known)
    return known
  }
}

/** Seconds after which a worker's results are saved, and another one starts, if the first test file of each mutant kills it. */
const batchSeconds = 120

/**
 * Tries the mutants: all with unit tests, then what is left with the service.
 *
 * @returns a function that resolves with the test files that failed without a mutant too
 */
export function createMutantRun({ tests, outcomes, runner, budget, imports, save, log }: MutantRunOptions) {
  const failing = new Map<string, FailingTest>()
  const killsOf = createKills()
  const counts = createCounts()
  const isOver = (mutant: ListedMutant): boolean =>
    ['killed', 'ended'].includes(outcomes[keyOf(mutant)]?.result ?? 'survived')

  /** @returns the tries that failed without the mutant too, and the title of the test */
  const runBatch = async (batch: readonly Try[]): Promise<Unsure[]> => {
    const unsure: Unsure[] = []
    await runner.run(
      batch,
      (each) => 30 + 5 * secondsOf(tests, each),
      (tried, result) => {
        if (tried.mutant === null || result?.result === 'known') return
        const key = switchKey(tried.mutant)
        if (result?.result === 'unsure') unsure.push({ ...tried, test: result.test ?? '' })
        else counts.add(key, { tests: 1 })
        const end = endOf(tried, result)
        if (end) outcomes[key] = { ...end, ...counts.of(key) }
        if (result?.result === 'failed') {
          const ofSource = killsOf(tried.mutant.source)
          ofSource.set(tried.file, (ofSource.get(tried.file) ?? 0) + 1)
        }
      },
    )
    save()
    return unsure
  }

  const tryWith = async (project: string, mutants: readonly ListedMutant[]): Promise<void> => {
    const ofProject = tests.filter((test) => test.project === project)
    const again: Unsure[] = []
    let batch: Try[] = []
    let seconds = 0
    const flush = async (): Promise<void> => {
      if (batch.length > 0) again.push(...(await runBatch(batch)))
      batch = []
      seconds = 0
    }
    for (const mutant of mutants) {
      const { source, index } = mutant
      const plan = planFor(ofProject, {
        source,
        index,
        imports: ({ file }) => imports(file, source.file),
        budget: project.startsWith('unit') ? Infinity : budget,
        kills: killsOf(sourceKey(source)),
      })
      counts.add(keyOf(mutant), { leftOut: plan.leftOut })
      batch.push(...plan.tries)
      const [first] = plan.tries
      if (first) seconds += secondsOf(tests, first)
      if (seconds > batchSeconds) await flush()
    }
    await flush()
    // The whole file, from its beginning: its tests need each other, or a mutant before left something behind.
    const whole = again.filter(({ mutant }) => mutant && outcomes[switchKey(mutant)]?.result !== 'killed')
    for (const { file, mutant } of whole) {
      const [left] = await runBatch([{ project, file, mutant, tests: undefined, evaluates: true }])
      if (left) failing.set(left.file, { project, file: left.file, test: left.test })
    }
  }

  return async (mutants: readonly ListedMutant[]): Promise<FailingTest[]> => {
    for (const mutant of mutants) if (!isOver(mutant)) delete outcomes[keyOf(mutant)]
    for (const project of projects) {
      const left = mutants.filter((mutant) => !isOver(mutant))
      if (tests.every((test) => test.project !== project)) continue
      log(`${left.length} mutants with the tests of ${project}`)
      await tryWith(project, left)
    }
    // Only now: until the last project, a mutant isn't known to survive, and an interrupted run has not tried it.
    for (const key of mutants.filter((mutant) => !isOver(mutant)).map(keyOf))
      outcomes[key] = { result: 'survived', ...counts.of(key) }
    save()
    return [...failing.values()]
  }
}

const secondsOf = (tests: readonly MeasuredTest[], { file }: Try): number =>
  tests.find((test) => test.file === file)?.seconds ?? 0

/** What a result decides, if it does. */
function endOf({ project, file }: Try, result: TryResult | undefined): Pick<Outcome, 'result' | 'by'> | undefined {
  if (result === undefined) return { result: 'ended' }
  if (result.result !== 'failed') return undefined
  return { result: 'killed', by: { project, file, test: result.test ?? '' } }
}
