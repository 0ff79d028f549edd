import {
  outsideTests,
  sourceKey,
  whileImporting,
  type MeasuredTest,
  type Source,
  type TestFile,
} from './measured-test.ts'
import type { Try } from './tries.ts'

export interface PlanOptions {
  readonly source: Source
  /** The mutant's place in the list of the source's mutants. */
  readonly index: number
  /** Whether a test file imports the source. */
  readonly imports: (test: MeasuredTest) => boolean
  /** Seconds of tests; the quicker ones are run. */
  readonly budget: number
  /** How many mutants of this source each test file has killed. */
  readonly kills: ReadonlyMap<string, number>
}

/** The tries that could notice a mutant, and the number of test files that the budget leaves out. */
export interface Plan {
  readonly tries: readonly Try[]
  readonly leftOut: number
}

const folderOf = (file: string): string => file.slice(0, file.lastIndexOf('/') + 1)

/** Whether a test is in the folder of a source, or in one around it. */
const isNear = (test: TestFile, source: Source): boolean => source.file.startsWith(folderOf(test.file))

/** Only what reaches the mutant runs: the best tests of this source first, those next to it, and the quickest. */
export function planFor(tests: readonly MeasuredTest[], options: PlanOptions): Plan {
  const { source, index, budget, kills } = options
  const key = sourceKey(source)
  // Its modules are evaluated for the first test file that imports them.
  const evaluates = tests.some(({ reached }) => reached[key]?.[whileImporting]?.includes(index) === true)
  const isTraced = tests.some(({ reached }) => Object.keys(reached[key] ?? {}).some((id) => id !== whileImporting))
  const rank = (test: MeasuredTest): number => {
    const found = (kills.get(test.file) ?? 0) + (isNear(test, source) ? 1 : 0)
    return test.seconds / (1 + found)
  }
  const tries: Try[] = []
  let total = 0
  let leftOut = 0
  for (const test of tests.toSorted((one, other) => rank(one) - rank(other))) {
    const ids = reachingTests(test, options, { evaluates, isTraced })
    if (ids?.length === 0) continue
    if (total > 0 && total + test.seconds > budget) {
      leftOut += 1
      continue
    }
    total += test.seconds
    const { project, file } = test
    tries.push({ project, file, mutant: { source: key, index }, tests: ids, evaluates })
  }
  return { tries, leftOut }
}

interface Traces {
  readonly evaluates: boolean
  /** Some test reaches a mutant of the source that is not evaluated with it. */
  readonly isTraced: boolean
}

/** The ids of the tests that reach a mutant; undefined: all of the file. */
function reachingTests(test: MeasuredTest, { source, index, imports }: PlanOptions, { evaluates, isTraced }: Traces) {
  // A test near the source can use what is evaluated without reaching a mutant again.
  if (evaluates && isNear(test, source) && imports(test)) return undefined
  const byTest = test.reached[sourceKey(source)]
  if (byTest?.[whileImporting]?.includes(index)) return undefined
  if (evaluates && !isTraced) return imports(test) ? undefined : []
  if (byTest === undefined) return []
  // What is evaluated with its source concerns each test that reaches anything of it.
  const reaches = (id: string): boolean => evaluates || byTest[id]?.includes(index) === true
  const ids = Object.keys(byTest).filter((id) => id !== whileImporting && reaches(id))
  return ids.includes(outsideTests) ? undefined : ids
}
