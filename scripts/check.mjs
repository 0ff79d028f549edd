// Runs everything that CI checks, in order. A failure does not stop the run, so that one run shows all failures.
// --quick: only types, lint, words, and the tests that start no process of the service and no browser.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-check-'))
const report = join(scratch, 'tests.json')

/** @type {[name: string, program: string, args: string[]][]} */
const allChecks = [
  ['types of the server and its tests', 'tsc', ['-p', 'server']],
  ['types of the web UI', 'tsc', ['-p', 'web']],
  ['types of the browser tests', 'tsc', ['-p', 'e2e']],
  ['types of the scripts', 'tsc', ['-p', 'scripts']],
  ['lint', 'oxlint', ['--type-aware', '--deny-warnings']],
  ['format', 'prettier', ['--check', '.', '--log-level', 'warn']],
  ['generated docs equal their source', 'node', ['scripts/docs.ts', '--check']],
  ['every rule has a test', 'node', ['scripts/rules.ts', '--check']],
  ['words', 'node', ['scripts/words.ts']],
]
const isQuick = process.argv.includes('--quick')
const forVitest = process.argv.slice(2).filter((argument) => argument !== '--quick')
const isQuickCheck = (/** @type {string} */ name, /** @type {string} */ program) =>
  program === 'tsc' || program === 'oxlint' || name === 'words'
const checks = isQuick ? allChecks.filter(([name, program]) => isQuickCheck(name, program)) : allChecks
const projects = isQuick ? ['--project=unit', '--project=in-process'] : []
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
const tests = ['run', ...reporters, ...projects, ...forVitest]

const failed = checks.filter(([name, program, args]) => !passes(name, program, args)).map(([name]) => name)
const testsPass = passes('tests', 'vitest', tests)
const counted = count()
rmSync(scratch, { recursive: true, force: true })
// Vitest also fails without a failed test: on an error between tests, or if it finds no tests.
if (!testsPass && counted.failed === 0) failed.push('tests')

heading('sum')
for (const name of failed) console.log(`FAILED: ${name}`)
for (const test of counted.broken) console.log(`FAILED: ${test}`)
for (const test of counted.unsteady) console.log(`FLAKY, passed only on a retry, fix it: ${test}`)
if (counted.skipped > 0)
  console.log(`${counted.skipped} tests were skipped. If a program is missing, a line with !!! above names it.`)
console.log(
  `${counted.passed} tests and ${checks.length - failed.filter((name) => name !== 'tests').length} other checks passed.`,
)
const passed = counted.passed + checks.filter(([name]) => !failed.includes(name)).length
console.log(`${passed} passed, ${counted.failed + failed.length} failed, ${counted.skipped} skipped`)
process.exitCode = failed.length > 0 || counted.failed > 0 ? 1 : 0

function passes(/** @type {string} */ name, /** @type {string} */ program, /** @type {string[]} */ args) {
  heading(name)
  const started = performance.now()
  const { status, signal, error } = spawnSync(program, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}` },
  })
  if (error) console.log(error.message)
  if (signal) console.log(`ended by ${signal}`)
  const ok = status === 0
  console.log(`${ok ? 'ok' : 'FAILED'}, ${((performance.now() - started) / 1000).toFixed(1)} s`)
  return ok
}

/**
 * @typedef {{ status: string, fullName: string, failureMessages: string[] }} Test
 * @typedef {{ name: string, status: string, assertionResults: Test[] }} TestFile
 */

function count() {
  try {
    /** @type {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number, testResults: TestFile[] }} */
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
      readFileSync(report, 'utf8'),
    )
    // A file that fails to load, or whose setup fails, has no failed test in it.
    const brokenFiles = testResults.filter(
      (file) => file.status === 'failed' && file.assertionResults.every(({ status }) => status !== 'failed'),
    ).length
    const named = (/** @type {(test: Test) => boolean} */ fits) =>
      testResults.flatMap((file) => file.assertionResults.filter(fits).map((test) => shown(file, test)))
    return {
      passed: numPassedTests,
      failed: numFailedTests + brokenFiles,
      skipped: numPendingTests + numTodoTests,
      broken: named(({ status }) => status === 'failed'),
      unsteady: named(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0),
    }
  } catch {
    return { passed: 0, failed: 0, skipped: 0, broken: [], unsteady: [] }
  }
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
