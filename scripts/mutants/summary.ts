import type { createAcceptance } from './accept.ts'
import type { FailingTest } from './measured-test.ts'
import { keyOf, type ListedMutant } from './mutant-run.ts'
import type { Outcome, Outcomes } from './report.ts'

export interface SummaryOptions {
  readonly mutants: readonly ListedMutant[]
  readonly outcomes: Outcomes
  readonly acceptance: ReturnType<typeof createAcceptance>
  readonly isChosen: (file: string) => boolean
  readonly failing: readonly FailingTest[]
  /** Whether a test file imports a source. */
  readonly imports: (test: string, source: string) => boolean
}

export interface Summary {
  readonly lines: readonly string[]
  /** Whether nothing is left to do. */
  readonly isWhole: boolean
}

/**
 * What survived, what is accepted, and the counts of each folder. What survived although a test that imports its source
 * fails without any change is undecided.
 */
export function summarize(options: SummaryOptions): Summary {
  const { mutants, outcomes, acceptance, isChosen, failing, imports } = options
  const isUndecided = ({ source }: ListedMutant): boolean => failing.some(({ file }) => imports(file, source.file))
  const rows = mutants.map((mutant) => ({
    mutant,
    outcome: outcomes[keyOf(mutant)],
    reason: acceptance.reasonFor(mutant),
  }))
  const left = rows.filter(({ outcome, reason }) => outcome?.result === 'survived' && reason === undefined)
  const stale = acceptance.stale(mutants, isChosen)
  const lines = left.map(({ mutant, outcome }) =>
    isUndecided(mutant) ? `UNDECIDED: ${lineFor(mutant)}` : `SURVIVED: ${lineFor(mutant)}${notTried(outcome)}`,
  )
  for (const { mutant, reason } of rows) if (reason !== undefined) lines.push(`accepted: ${lineFor(mutant)}: ${reason}`)
  for (const { file, line, change } of stale) lines.push(`NOT A MUTANT: ${file}: ${change}, in the line ${line}`)
  const byFolder = Map.groupBy(rows, ({ mutant }) => mutant.file.split('/').slice(0, 3).join('/'))
  for (const [folder, inFolder] of byFolder) {
    const open = inFolder.filter(({ reason }) => reason === undefined)
    const count = (fits: (outcome: Outcome, mutant: ListedMutant) => boolean): number =>
      open.filter(({ outcome, mutant }) => outcome !== undefined && fits(outcome, mutant)).length
    lines.push(
      [
        `${folder}: ${inFolder.length} mutants`,
        `${count((outcome) => outcome.result === 'killed' && isUnit(outcome))} killed by unit tests`,
        `${count((outcome) => outcome.result === 'killed' && !isUnit(outcome))} by tests of the service`,
        `${count(({ result }) => result === 'ended')} ended in time limits or crashes`,
        `${inFolder.length - open.length} accepted`,
        `${count(({ result }, mutant) => result === 'survived' && !isUndecided(mutant))} survived`,
        `${count(({ result }, mutant) => result === 'survived' && isUndecided(mutant))} undecided`,
        `${open.filter(({ outcome }) => outcome === undefined).length} not tried`,
      ].join(', '),
    )
  }
  for (const { file, test } of failing) lines.push(`FAILS WITHOUT ANY CHANGE: ${file}: ${test}`)
  return { lines, isWhole: left.length === 0 && stale.length === 0 && failing.length === 0 }
}

const isUnit = ({ by }: Outcome): boolean => by?.project.startsWith('unit') === true

const lineFor = ({ place, change }: ListedMutant): string => `${place}  ${change}`

const notTried = (outcome: Outcome | undefined): string => {
  if (outcome === undefined || outcome.tests + outcome.leftOut === 0) return '  (no test reaches it)'
  return outcome.leftOut > 0 ? `  (${outcome.leftOut} slower test files not tried)` : ''
}
