import type { Described } from './accept.ts'
import { sourceKey, type FailingTest, type MeasuredTest, type Source } from './measured-test.ts'
import { planFor } from './plan.ts'
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
}

export const keyOf = ({ source, index }: Pick<ListedMutant, 'source' | 'index'>): string =>
  switchKey({ source: sourceKey(source), index })

const switchKey = ({ source, index }: SwitchedMutant): string => `${source}:${index}`

interface Unsure extends Try, FailingTest {}

/** In this order, so that a mutant which a unit test notices needs no service. */
const projects = ['unit', 'unit-isolated', 'in-process', 'in-process-long']

/** Seconds after which a worker's results are saved, and another one starts, if the first test file of each mutant kills it. */
const batchSeconds = 120

/**
 * Tries the mutants: all with unit tests, then what is left with the service.
 *
 * @returns a function that resolves with the test files that failed without a mutant too
 */
export function createMutantRun({ tests, outcomes, runner, budget, imports, save }: MutantRunOptions) {
  const failing = new Map<string, FailingTest>()
  const kills = new Map<string, Map<string, number>>()
  const killsOf = (source: string): Map<string, number> => {
    const known = kills.get(source) ?? new Map<string, number>()
    kills.set(source, known)
    return known
  }
  const isOver = (mutant: ListedMutant): boolean => {
    const result = outcomes[keyOf(mutant)]?.result
    return result === 'killed' || result === 'ended'
  }
  const record = (key: string, change: Partial<Outcome>): void => {
    outcomes[key] = { result: 'survived', tests: 0, leftOut: 0, ...outcomes[key], ...change }
  }

  /** @returns the tries that failed without the mutant too, and the title of the test */
  const runBatch = async (batch: readonly Try[]): Promise<Unsure[]> => {
    const unsure: Unsure[] = []
    await runner.run(
      batch,
      (each) => 30 + 5 * secondsOf(tests, each),
      (tried, result) => {
        if (tried.mutant === null || result?.result === 'known') return
        const key = switchKey(tried.mutant)
        const ran = (outcomes[key]?.tests ?? 0) + 1
        if (result?.result === 'unsure') unsure.push({ ...tried, test: result.test ?? '' })
        else record(key, { ...outcomeOf(tried, result), tests: ran })
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
      record(keyOf(mutant), { leftOut: (outcomes[keyOf(mutant)]?.leftOut ?? 0) + plan.leftOut })
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
      console.log(`${left.length} mutants with the tests of ${project}`)
      await tryWith(project, left)
    }
    return [...failing.values()]
  }
}

const secondsOf = (tests: readonly MeasuredTest[], { file }: Try): number =>
  tests.find((test) => test.file === file)?.seconds ?? 0

/** What a result changes: an earlier kill stays one. */
function outcomeOf({ project, file }: Try, result: TryResult | undefined): Partial<Outcome> {
  if (result === undefined) return { result: 'ended' }
  if (result.result !== 'failed') return {}
  return { result: 'killed', by: { project, file, test: result.test ?? '' } }
}
