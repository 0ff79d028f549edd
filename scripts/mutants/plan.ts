import { sourceKey, type MeasuredTest, type Source } from './measured-test.ts'

export interface PlanOptions {
  readonly source: Source
  /** The block that contains the change. */
  readonly block: number
  /** Seconds of tests of the service; the quicker ones are run. 0: none. */
  readonly budget: number
  /** How many mutants of this file each test file has killed. */
  readonly kills: ReadonlyMap<string, number>
}

/** The tests that could notice a mutant, in batches, and the number that the budget leaves out. */
export interface Plan {
  readonly batches: readonly (readonly MeasuredTest[])[]
  readonly leftOut: number
}

/** Seconds of one batch: a mutant that never ends is found after a few times as long. */
const batchSeconds = 15

const folderOf = (file: string): string => file.slice(0, file.lastIndexOf('/'))

/** Whether the tests of a project run the service. */
export const isServiceTest = (project: string): boolean => project.startsWith('in-process')

const isUnitTest = (test: MeasuredTest): boolean => !isServiceTest(test.project)

/** Unit tests come first, those in the folder of the mutant before others; then the quickest, and the best of this file. */
export function planFor(tests: readonly MeasuredTest[], { source, block, budget, kills }: PlanOptions): Plan {
  const { file } = source
  const reaches = ({ hits }: MeasuredTest): boolean =>
    // The offsets say nothing about another version.
    hits[sourceKey(source)]?.includes(block) ??
    Object.keys(hits).some((key) => key.startsWith(sourceKey({ file, hash: '' })))
  const rank = (test: MeasuredTest): number => {
    const found = (kills.get(test.file) ?? 0) + (folderOf(test.file) === folderOf(file) ? 1 : 0)
    return test.seconds / (1 + found)
  }
  const candidates = tests.filter(reaches).sort((one, other) => rank(one) - rank(other))
  const batches: MeasuredTest[][] = []
  const unitTests = candidates.filter(isUnitTest)
  if (unitTests.length > 0) batches.push(unitTests)
  let total = 0
  let leftOut = 0
  let open: { readonly tests: MeasuredTest[]; seconds: number } | undefined
  for (const test of candidates.filter((candidate) => !isUnitTest(candidate))) {
    if (budget === 0 || (total > 0 && total + test.seconds > budget)) {
      leftOut += 1
      continue
    }
    total += test.seconds
    if (!open || open.seconds + test.seconds > batchSeconds) {
      open = { tests: [], seconds: 0 }
      batches.push(open.tests)
    }
    open.tests.push(test)
    open.seconds += test.seconds
  }
  return { batches, leftOut }
}
