// Runs everything that CI checks. A failure does not stop the run, so that one run shows all failures.
// --quick: only types, lint, format, words, unit tests, and the tests of the service that record no video, generate no
// requests, attack nothing, hash no password as in production, run no command and no second instance, and drive no
// outside camera, proxy, OpenID provider, PostgreSQL or disk. Store tests run on SQLite.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-check-'))

/** More broken files than this aren't unsteady, they are broken. */
const maxRepeated = 5

/** @type {[name: string, program: string, args: string[]]} */
const auditCheck = ['no known severe vulnerability in a shipped package', 'node', ['scripts/audit.ts']]

/**
 * The longest first, so that none is left running alone at the end.
 *
 * @type {[name: string, program: string, args: string[]][]}
 */
const allChecks = [
  ['lint', 'oxlint', ['--type-aware', '--deny-warnings']],
  ['types of all that runs in Node.js', 'tsc', []],
  ['types of the web UI', 'tsc', ['-p', 'web']],
  ['generated docs equal their source', 'node', ['scripts/docs.ts', '--check']],
  ['every rule has a test', 'node', ['scripts/rules.ts', '--check']],
  ['words', 'node', ['scripts/words.ts']],
  ['format', 'oxfmt', ['--check']],
  // Its result can change without a change here, and it needs the network.
  ...(process.env['CI'] ? [auditCheck] : []),
]
const isQuick = process.argv.includes('--quick')
const forVitest = process.argv.slice(2).filter((argument) => argument !== '--quick')
const isQuickCheck = (/** @type {string} */ name, /** @type {string} */ program) =>
  program === 'tsc' || program === 'oxlint' || program === 'oxfmt' || name === 'words'
const checks = isQuick ? allChecks.filter(([name, program]) => isQuickCheck(name, program)) : allChecks
const projects = isQuick ? ['--project=unit', '--project=unit-isolated', '--project=in-process'] : []
const testsInto = (/** @type {string} */ report) => [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
  ...projects,
]
const report = join(scratch, 'tests.json')
const tests = [...testsInto(report), ...forVitest]

/** The checks use the whole machine; the tests of a quick run wait a lot, so the checks run beside them. */
const results = isQuick
  ? await Promise.all([runChecks(1), passes('tests', 'vitest', tests)])
  : /** @type {const} */ ([
      await runChecks(Math.min(2, availableParallelism())),
      await passes('tests', 'vitest', tests),
    ])
const [failed, testsPass] = results
const counted = await repeated(count(report))
rmSync(scratch, { recursive: true, force: true })
// Vitest also fails without a failed test: on an error between tests, or if it finds no tests.
if (!testsPass && counted.failed === 0 && counted.unsteady.length === 0) failed.push('tests')

heading('sum')
for (const name of failed) console.log(`FAILED: ${name}`)
for (const test of counted.broken) console.log(`FAILED: ${test}`)
for (const test of counted.unsteady) console.log(`FLAKY, passed only when its file ran again, fix it: ${test}`)
if (counted.skipped > 0)
  console.log(`${counted.skipped} tests were skipped. If a program is missing, a line with !!! above names it.`)
console.log(
  `${counted.passed} tests and ${checks.length - failed.filter((name) => name !== 'tests').length} other checks passed.`,
)
const passed = counted.passed + checks.filter(([name]) => !failed.includes(name)).length
console.log(`${passed} passed, ${counted.failed + failed.length} failed, ${counted.skipped} skipped`)
process.exitCode = failed.length > 0 || counted.failed > 0 ? 1 : 0

/**
 * Runs the checks, up to `concurrency` at a time.
 *
 * @returns the names of those that failed
 */
async function runChecks(/** @type {number} */ concurrency) {
  const waiting = [...checks]
  /** @type {string[]} */
  const failures = []
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, program, args] = next
      if (!(await passes(name, program, args))) failures.push(name)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return checks.map(([name]) => name).filter((name) => failures.includes(name))
}

/** Runs a program. The output of vitest is shown as it comes, that of the others once they have ended. */
async function passes(/** @type {string} */ name, /** @type {string} */ program, /** @type {string[]} */ args) {
  const isShownLive = program === 'vitest'
  if (isShownLive) heading(name)
  const started = performance.now()
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', isShownLive ? 'inherit' : 'pipe', isShownLive ? 'inherit' : 'pipe'],
    env: {
      ...process.env,
      PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`,
      ...(isQuick && { TEST_ENGINES: 'sqlite' }),
    },
  })
  /** @type {Buffer[]} */
  const output = []
  child.stdout?.on('data', (chunk) => void output.push(chunk))
  child.stderr?.on('data', (chunk) => void output.push(chunk))
  const [status, signal] = await once(child, 'close').catch((/** @type {Error} */ error) => [error.message, null])
  if (!isShownLive) heading(name)
  process.stdout.write(Buffer.concat(output))
  if (typeof status === 'string') console.log(status)
  if (signal) console.log(`ended by ${signal}`)
  const ok = status === 0
  console.log(`${ok ? 'ok' : 'FAILED'}, ${((performance.now() - started) / 1000).toFixed(1)} s`)
  return ok
}

/**
 * @typedef {{ fullName: string, failureMessages: string[], status?: string }} Test
 * @typedef {{ name: string, status: string, message: string, assertionResults: Test[] }} TestFile
 */

/**
 * @typedef {object} Counted
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {string[]} broken What failed, with the reasons
 * @property {string[]} unsteady
 * @property {string[]} files Those with a failure
 */

/** @returns {Counted} */
function count(/** @type {string} */ from) {
  try {
    /** @type {{ numPassedTests: number, numPendingTests: number, numTodoTests: number, testResults: TestFile[] }} */
    const { numPassedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(readFileSync(from, 'utf8'))
    const broken = testResults.filter(({ status }) => status === 'failed').flatMap(failures)
    return {
      passed: numPassedTests,
      failed: broken.length,
      skipped: numPendingTests + numTodoTests,
      broken,
      unsteady: [],
      files: testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(root, name)),
    }
  } catch {
    return { passed: 0, failed: 0, skipped: 0, broken: [], unsteady: [], files: [] }
  }
}

/** A file that fails to load, or whose setup fails, has no failed test in it. */
function failures(/** @type {TestFile} */ file) {
  const tests = file.assertionResults.filter(({ status }) => status === 'failed')
  return tests.length > 0
    ? tests.map((test) => shown(file, test))
    : [shown(file, { fullName: 'the whole file', failureMessages: [file.message] })]
}

/**
 * In CI, other jobs can block the machine for seconds. So broken files run once more there, alone and from their setup
 * on. What passes then is still named: it has a cause to find.
 *
 * @returns {Promise<Counted>}
 */
async function repeated(/** @type {Counted} */ first) {
  if (!process.env['CI'] || first.files.length === 0 || first.files.length > maxRepeated) return first
  const report = join(scratch, 'again.json')
  const again = [...testsInto(report), '--no-file-parallelism', ...first.files]
  if (!(await passes(`again: ${first.files.join(', ')}`, 'vitest', again))) {
    const second = count(report)
    // An end without a report proves nothing.
    return second.failed > 0 ? { ...first, broken: [...first.broken, ...second.broken] } : first
  }
  return { ...first, passed: first.passed + first.failed, failed: 0, broken: [], unsteady: first.broken }
}

/** The file, the title, and the beginning and end of the failure message. */
function shown(/** @type {TestFile} */ file, /** @type {Test} */ { fullName, failureMessages }) {
  const reasons = failureMessages.flatMap((message) => {
    const ours = message.split('\n').filter((line) => !/node_modules|\(<anonymous>\)/.test(line))
    return ours.length > 20 ? [...ours.slice(0, 8), '…', ...ours.slice(-12)] : ours
  })
  return [`${relative(root, file.name)}: ${fullName}`, ...reasons.map((line) => `    ${line.trim()}`)].join('\n')
}

function heading(/** @type {string} */ name) {
  console.log(`\n── ${name} ${'─'.repeat(Math.max(0, 96 - name.length))}`)
}
