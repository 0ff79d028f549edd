import type { FailingTest, MeasuredTest, TestFile } from './measured-test.ts'
import type { TryRunner } from './run-tries.ts'

export interface MeasureOptions {
  /** Results of an earlier run; a test file is not run again while neither it nor what it imports has changed. */
  readonly known: readonly MeasuredTest[]
  /** Changes with a test file and all that it imports. */
  readonly hashOf: (file: string) => string
  /** Called after each project with all results so far. */
  readonly save: (tests: readonly MeasuredTest[]) => void
  readonly runner: Pick<TryRunner, 'run'>
}

export interface Measured {
  readonly tests: readonly MeasuredTest[]
  readonly failing: FailingTest[]
}

/**
 * Runs each test file with the source as it is, and writes down what it reaches and how long it takes. One that fails
 * runs a second time, as a busy machine can be the cause.
 */
export async function measureTests(files: readonly TestFile[], options: MeasureOptions): Promise<Measured> {
  const { known, hashOf, save, runner } = options
  const hashes = new Map(files.map(({ file }) => [file, hashOf(file)]))
  const tests = known.filter(({ file, hash }) => hashes.get(file) === hash)
  const others = known.filter(({ file }) => !hashes.has(file))
  const waiting = files.filter(({ file }) => !tests.some((test) => test.file === file))
  const failing: FailingTest[] = []

  /** @param evaluates whether modules are evaluated again, because a failed run takes what that reaches with it */
  const measure = async (ofProject: readonly TestFile[], evaluates: boolean): Promise<FailingTest[]> => {
    const failed: FailingTest[] = []
    await runner.run(
      ofProject.map(({ project, file }) => ({ project, file, mutant: null, evaluates })),
      () => 300,
      ({ project, file }, result) => {
        if (result?.result === 'passed') {
          const { seconds, reached = {} } = result
          tests.push({ project, file, seconds, hash: hashes.get(file) ?? '', reached })
        } else failed.push({ project, file, test: result?.test ?? 'it never ends' })
      },
    )
    return failed
  }
  for (const [, ofProject] of Map.groupBy(waiting, ({ project }) => project)) {
    const failed = await measure(ofProject, false)
    failing.push(...(await measure(failed, true)))
    save([...others, ...tests])
  }
  return { tests, failing }
}
