import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashOf, type MeasuredTest, type TestFile } from './measured-test.ts'
import type { TryRunner } from './run-tries.ts'
import { root } from './sources.ts'

export interface MeasureOptions {
  /** Results of an earlier run; a test file that has not changed since is not run again. */
  readonly known: readonly MeasuredTest[]
  /** Called after each project with all results so far. */
  readonly save: (tests: readonly MeasuredTest[]) => void
  readonly runner: TryRunner
}

/**
 * Runs each test file once with the source as it is, and writes down what it reaches and how long it takes. One that
 * fails cannot notice a mutant: it is printed and left out.
 */
export async function measureTests(files: readonly TestFile[], { known, save, runner }: MeasureOptions) {
  const hashes = new Map(files.map(({ file }) => [file, hashOf(readFileSync(join(root, file), 'utf8'))]))
  const tests = known.filter(({ file, hash }) => hashes.get(file) === hash)
  const waiting = files.filter(({ file }) => !tests.some((test) => test.file === file))
  for (const [, ofProject] of Map.groupBy(waiting, ({ project }) => project)) {
    const tries = ofProject.map((test) => ({ ...test, mutant: null, evaluates: false }))
    await runner.run(
      tries,
      () => 300,
      ({ project, file }, result) => {
        if (result?.result === 'passed') {
          const { seconds, reached = {} } = result
          tests.push({ project, file, seconds, hash: hashes.get(file) ?? '', reached })
        } else console.log(`left out, because it fails without any change: ${file}: ${result?.test ?? 'it never ends'}`)
      },
    )
    save(tests)
  }
  return tests
}
