// Lists the rules of docs/rules.md that no test of the service or of its pages names in its title. With --check, exits
// with 1 if one of them is not excused either.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { coverage, rulesIn, rulesNamedIn } from './rules/coverage.ts'
import { missingProofs } from './rules/proofs.ts'

const root = resolve(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

const testFiles = globSync('{server,web,attacks,e2e,scripts}/**/*.test.{ts,tsx}', {
  cwd: root,
  exclude: ['**/node_modules/**'],
})
const named = new Map(testFiles.map((file) => [file, rulesNamedIn(read(file))]))
const { rules, onlyInside, uncovered, excused, misnamed } = coverage(rulesIn(read('docs/rules.md')), named)

for (const { id, text } of uncovered) console.log(`${id}  ${text.split(/(?<=\.) /)[0]}`)
for (const { id, reason } of excused) console.log(`${id}  not yet: ${reason}`)
if (onlyInside.length > 0) {
  console.log(`Named only by unit tests, not by tests of the service: ${onlyInside.map(({ id }) => id).join(' ')}`)
}
for (const { id, file } of misnamed) console.log(`${id}  is named by a test in ${file}, but is not a rule`)
console.log(
  `${rules - uncovered.length - excused.length} of ${rules} rules are named by a test, ${excused.length} wait.`,
)

if (process.argv.includes('--check') && uncovered.length + onlyInside.length + misnamed.length > 0) {
  console.log(
    'Each rule needs a test in server/test, attacks or e2e whose title carries its number, for example `[TOK-4] …`, or a line under "Not yet".',
  )
  process.exitCode = 1
}

const asvs = 'docs/security/asvs.md'
const missing = missingProofs(read(asvs), (file) => (existsSync(join(root, file)) ? read(file) : undefined))
for (const proof of missing) console.log(`${asvs} names ${proof}, which does not exist`)
if (process.argv.includes('--check') && missing.length > 0) process.exitCode = 1
