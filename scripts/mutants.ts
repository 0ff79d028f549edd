// Takes out or flips each check of server/src/access, auth and gate in turn, runs the tests that could notice, and lists
// the mutants that survive. Exits with 1 if one of them is not accepted in mutants/accepted.ts.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { accepted } from './mutants/accepted.ts'
import { createAcceptance, described, type Described } from './mutants/accept.ts'
import { blockAround } from './mutants/hits.ts'
import { importsOf } from './mutants/imports.ts'
import { measureTests } from './mutants/measure.ts'
import { hashOf, type MeasuredTest, type TestFile } from './mutants/measured-test.ts'
import { applied, mutantsOf, type Mutant } from './mutants/mutations.ts'
import { isServiceTest, planFor } from './mutants/plan.ts'
import { readReport, writeReport, type Outcome, type Report } from './mutants/report.ts'
import { createRunner, type Runner } from './mutants/runner-process.ts'
import { parse } from './mutants/syntax.ts'

const root = resolve(import.meta.dirname, '..')
const { values: options } = parseArgs({
  options: {
    // Only files whose path contains this text; can be repeated.
    only: { type: 'string', multiple: true, default: [] },
    // Keep the results of the last run, except survivors.
    resume: { type: 'boolean', default: false },
    // Lists the mutants, and runs nothing.
    list: { type: 'boolean', default: false },
    // Keeps the results for --resume.
    report: { type: 'string', default: 'node_modules/.cache/mutants/report.json' },
    // Processes that run tests.
    jobs: { type: 'string', default: '1' },
    // Only tests of the service whose path contains this text; can be repeated.
    tests: { type: 'string', multiple: true, default: [] },
    // Seconds of tests of the running service that a mutant gets.
    seconds: { type: 'string', default: '60' },
  },
})

const reportFile = resolve(root, options.report)

const isChosen = (file: string): boolean =>
  options.only.length === 0 || options.only.some((part) => file.includes(part))
const sources = globSync('server/src/{access,auth,gate}/**/*.ts', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts') && isChosen(file))
  .sort()
const texts = new Map(sources.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
const textOf = (file: string): string => texts.get(file) ?? ''
const mutants = [...texts].flatMap(([file, text]) => mutantsOf(file, text))
const shown = new Map<Mutant, Described>(mutants.map((mutant) => [mutant, described(mutant, textOf(mutant.file))]))
const place = ({ file, line, column }: Mutant): string => `${file}:${line}:${column}`
const lineFor = (mutant: Mutant): string => `${place(mutant)}  ${shown.get(mutant)?.change}`
const acceptance = createAcceptance(accepted)

async function main(): Promise<void> {
  const last = options.resume ? readReport(reportFile) : undefined
  console.log(`${mutants.length} mutants of ${sources.length} files. First, the tests run with the source as it is.`)
  const started = performance.now()
  const tests = await measureTests({
    known: last?.tests ?? [],
    isNeeded,
    save: (found) => writeReport(reportFile, { tests: found, outcomes: last?.outcomes ?? {} }),
  })
  const total = tests.reduce((sum, { seconds }) => sum + seconds, 0)
  console.log(`${tests.length} test files, ${total.toFixed(0)} s of tests.`)
  const report: Report = { tests, outcomes: last?.outcomes ?? {} }
  const waiting = mutants.filter((mutant) => {
    const outcome = report.outcomes[keyOf(mutant)]
    return (
      (outcome === undefined || outcome.result === 'survived') && acceptance.reasonFor(describe(mutant)) === undefined
    )
  })
  const kills = killsIn(report)
  const work = async (): Promise<void> => {
    const runner = createRunner()
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      const outcome = await tryMutant(mutant, report, kills, runner)
      report.outcomes[keyOf(mutant)] = outcome
      writeReport(reportFile, report)
      if (outcome.result === 'survived') console.log(`survived: ${lineFor(mutant)}${notTried(outcome)}`)
    }
    runner.stop()
  }
  writeReport(reportFile, report)
  await Promise.all(Array.from({ length: Number(options.jobs) }, work))
  summarize(report, (performance.now() - started) / 1000)
}

/** Whether a test imports one of the sources, and the budget allows it. */
function isNeeded({ project, file }: TestFile): boolean {
  if (isServiceTest(project)) {
    if (Number(options.seconds) === 0) return false
    if (options.tests.length > 0 && !options.tests.some((part) => file.includes(part))) return false
  }
  const imports = importsOf(file, readIfFile, knownImports)
  return sources.some((source) => imports.has(source))
}
const knownImports = new Map<string, readonly string[]>()
const readIfFile = (file: string): string | undefined =>
  existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined

const describe = (mutant: Mutant): Described => described(mutant, textOf(mutant.file))
const keyOf = ({ file, start, end, text }: Mutant): string => `${file} ${hashOf(textOf(file))} ${start} ${end} ${text}`

const notTried = ({ tests, leftOut }: Outcome): string =>
  tests === 0 ? '  (no test reaches it)' : leftOut > 0 ? `  (${leftOut} slower test files not tried)` : ''

type Kills = Map<string, Map<string, number>>

const addKill = (kills: Kills, file: string, by: string | undefined): void => {
  const test = by?.split(':', 1)[0]
  if (test === undefined) return
  const ofFile = kills.get(file) ?? new Map<string, number>()
  ofFile.set(test, (ofFile.get(test) ?? 0) + 1)
  kills.set(file, ofFile)
}

function killsIn({ outcomes }: Report): Kills {
  const kills: Kills = new Map()
  for (const [key, { by }] of Object.entries(outcomes)) addKill(kills, key.split(' ', 1)[0] ?? '', by)
  return kills
}

async function tryMutant(mutant: Mutant, report: Report, kills: Kills, runner: Runner): Promise<Outcome> {
  const { file } = mutant
  const text = textOf(file)
  const mutated = applied(text, mutant)
  // A mutant that is no program would fail every test.
  parse(file, mutated)
  const { batches, leftOut } = planFor(report.tests.filter(isNeeded), {
    source: { file, hash: hashOf(text) },
    block: blockAround(file, text, mutant),
    budget: Number(options.seconds),
    kills: kills.get(file) ?? new Map(),
  })
  let tests = 0
  for (const batch of batches) {
    tests += batch.length
    const reply = await runner.run({ mutant: { file, text: mutated }, tests: batch }, 30_000 + 6000 * secondsOf(batch))
    if (reply === undefined) return { result: 'ended', tests, leftOut }
    if (reply.failure !== undefined) {
      addKill(kills, file, reply.failure)
      return { result: 'killed', by: reply.failure, tests, leftOut }
    }
  }
  return { result: 'survived', tests, leftOut }
}

const secondsOf = (tests: readonly MeasuredTest[]): number => tests.reduce((sum, { seconds }) => sum + seconds, 0)

function summarize(report: Report, seconds: number): void {
  const rows = mutants.map((mutant) => ({
    mutant,
    outcome: report.outcomes[keyOf(mutant)],
    reason: acceptance.reasonFor(describe(mutant)),
  }))
  const left = rows.filter(({ outcome, reason }) => outcome?.result === 'survived' && reason === undefined)
  const stale = acceptance.stale([...shown.values()], (file) => isChosen(file))
  console.log('')
  for (const { mutant, outcome } of left) console.log(`SURVIVED: ${lineFor(mutant)}${outcome ? notTried(outcome) : ''}`)
  for (const { mutant, reason } of rows)
    if (reason !== undefined) console.log(`accepted: ${lineFor(mutant)}: ${reason}`)
  for (const { file, line, change } of stale) console.log(`NOT A MUTANT: ${file}: ${change}, in the line ${line}`)
  for (const folder of new Set(sources.map((file) => file.split('/').slice(0, 3).join('/')))) {
    const inFolder = rows.filter(({ mutant }) => mutant.file.startsWith(`${folder}/`))
    const count = (fits: (row: (typeof rows)[number]) => boolean): number => inFolder.filter(fits).length
    console.log(
      [
        `${folder}: ${inFolder.length} mutants`,
        `${count(({ outcome, reason }) => outcome?.result === 'killed' && reason === undefined)} killed`,
        `${count(({ outcome, reason }) => outcome?.result === 'ended' && reason === undefined)} ended in time limits or crashes`,
        `${count(({ reason }) => reason !== undefined)} accepted`,
        `${count((row) => left.includes(row))} survived`,
      ].join(', '),
    )
  }
  console.log(`${seconds.toFixed(0)} s`)
  if (left.length > 0 || stale.length > 0) process.exitCode = 1
}

if (options.list) for (const mutant of mutants) console.log(lineFor(mutant))
else await main()
