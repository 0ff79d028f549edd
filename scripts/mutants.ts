// Takes out or flips each check of server/src/access, auth and gate in turn, runs the tests that could notice, and lists
// the mutants that survive. Exits with 1 if one of them is not accepted in mutants/accepted.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { accepted } from './mutants/accepted.ts'
import { createAcceptance, described } from './mutants/accept.ts'
import { createImports } from './mutants/imports.ts'
import { measureTests } from './mutants/measure.ts'
import { hashOf, sourceKey, type MeasuredTest, type TestFile } from './mutants/measured-test.ts'
import { createMutantRun, keyOf, type ListedMutant } from './mutants/mutant-run.ts'
import { readJson, writeJson, type Outcomes } from './mutants/report.ts'
import { createTryRunner } from './mutants/run-tries.ts'
import { readSources, root } from './mutants/sources.ts'
import { summarize } from './mutants/summary.ts'

const { values: options } = parseArgs({
  options: {
    // Only files whose path contains this text; can be repeated.
    only: { type: 'string', multiple: true, default: [] },
    // Try only what has not been killed in an earlier run.
    resume: { type: 'boolean', default: false },
    // Lists the mutants, and runs nothing.
    list: { type: 'boolean', default: false },
    // The folder for results.
    reports: { type: 'string', default: 'node_modules/.cache/mutants' },
    // Only tests of the service whose path contains this text; can be repeated.
    tests: { type: 'string', multiple: true, default: [] },
    // Seconds of tests of the running service that a mutant gets. 0: only unit tests.
    seconds: { type: 'string', default: '60' },
  },
})

const outcomesFile = resolve(root, options.reports, 'outcomes.json')
const testsFile = resolve(root, options.reports, 'tests.json')

const isChosen = (file: string): boolean =>
  options.only.length === 0 || options.only.some((part) => file.includes(part))
const mutants: ListedMutant[] = readSources()
  .filter(({ file }) => isChosen(file))
  .flatMap(({ file, text, mutants: ofFile }) =>
    ofFile.map((mutant, index) => ({
      source: { file, hash: hashOf(text) },
      index,
      place: `${file}:${mutant.line}:${mutant.column}`,
      ...described(mutant, text),
    })),
  )
const acceptance = createAcceptance(accepted)

/** Whether a test imports one of the chosen sources, and the budget allows it. */
function isNeeded({ project, file }: TestFile): boolean {
  if (!/^(?:server|attacks)\//.test(file)) return false
  if (project.startsWith('in-process')) {
    if (Number(options.seconds) === 0) return false
    if (options.tests.length > 0 && !options.tests.some((part) => file.includes(part))) return false
  }
  const imported = imports.of(file)
  return mutants.some(({ source }) => imported.has(source.file))
}
const readIfFile = (file: string): string | undefined =>
  existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined
const imports = createImports(readIfFile)
const isImported = (test: string, source: string): boolean => imports.of(test).has(source)

/** Forgets the results of sources that are no longer what the run began with: it may have tried none of their mutants. */
function dropChanged(outcomes: Outcomes): boolean {
  const keys = new Set(readSources().map(({ key }) => key))
  const changed = mutants.filter(({ source }) => !keys.has(sourceKey(source)))
  for (const mutant of changed) delete outcomes[keyOf(mutant)]
  const files = new Set(changed.map(({ source }) => source.file))
  for (const file of files) console.log(`CHANGED DURING THE RUN: ${file}`)
  return files.size > 0
}

async function main(): Promise<void> {
  const began = performance.now()
  const runner = createTryRunner()
  const outcomes = (readJson(outcomesFile) ?? {}) as Outcomes
  if (!options.resume) for (const mutant of mutants) delete outcomes[keyOf(mutant)]
  console.log(`${mutants.length} mutants. First, the tests run with the source as it is.`)
  try {
    const known = (readJson(testsFile) ?? []) as MeasuredTest[]
    const files = (await runner.list()).filter(isNeeded)
    const save = (tests: readonly MeasuredTest[]): void => writeJson(testsFile, tests)
    const { tests, failing } = await measureTests(files, { known, hashOf: imports.hashOf, save, runner })
    for (const { file, test } of failing) console.log(`FAILS WITHOUT ANY CHANGE: ${file}: ${test}`)
    const total = tests.reduce((sum, { seconds }) => sum + seconds, 0)
    console.log(`${tests.length} test files, ${total.toFixed(0)} s of tests.`)
    const run = createMutantRun({
      tests,
      outcomes,
      runner,
      budget: Number(options.seconds),
      imports: isImported,
      save: () => writeJson(outcomesFile, outcomes),
      log: (line) => console.log(line),
    })
    failing.push(...(await run(mutants.filter((mutant) => acceptance.reasonFor(mutant) === undefined))))
    const isChanged = dropChanged(outcomes)
    if (isChanged) writeJson(outcomesFile, outcomes)
    const summary = summarize({ mutants, outcomes, acceptance, isChosen, failing, imports: isImported })
    for (const line of summary.lines) console.log(line)
    if (!summary.isWhole || isChanged) process.exitCode = 1
  } finally {
    runner.stop()
  }
  console.log(`${((performance.now() - began) / 1000).toFixed(0)} s`)
}

if (options.list) for (const { place, change } of mutants) console.log(`${place}  ${change}`)
else await main()
