import type { createAcceptance } from './accept.ts'
import { keyOf, type ListedMutant } from './mutant-run.ts'
import type { Outcome, Outcomes } from './report.ts'

export interface SummaryOptions {
  readonly mutants: readonly ListedMutant[]
  readonly outcomes: Outcomes
  readonly acceptance: ReturnType<typeof createAcceptance>
  readonly isChosen: (file: string) => boolean
}

/** Prints what survived, what is accepted, and the counts of each folder. @returns whether nothing is left to do */
export function summarize({ mutants, outcomes, acceptance, isChosen }: SummaryOptions): boolean {
  const rows = mutants.map((mutant) => ({
    mutant,
    outcome: outcomes[keyOf(mutant)],
    reason: acceptance.reasonFor(mutant),
  }))
  const left = rows.filter(({ outcome, reason }) => outcome?.result === 'survived' && reason === undefined)
  const stale = acceptance.stale(mutants, isChosen)
  for (const { mutant, outcome } of left) console.log(`SURVIVED: ${lineFor(mutant)}${notTried(outcome)}`)
  for (const { mutant, reason } of rows)
    if (reason !== undefined) console.log(`accepted: ${lineFor(mutant)}: ${reason}`)
  for (const { file, line, change } of stale) console.log(`NOT A MUTANT: ${file}: ${change}, in the line ${line}`)
  const byFolder = Map.groupBy(rows, ({ mutant }) => mutant.file.split('/').slice(0, 3).join('/'))
  for (const [folder, inFolder] of byFolder) {
    const open = inFolder.filter(({ reason }) => reason === undefined).map(({ outcome }) => outcome)
    const count = (fits: (outcome: Outcome) => boolean): number =>
      open.filter((outcome) => outcome !== undefined && fits(outcome)).length
    console.log(
      [
        `${folder}: ${inFolder.length} mutants`,
        `${count((outcome) => outcome.result === 'killed' && isUnit(outcome))} killed by unit tests`,
        `${count((outcome) => outcome.result === 'killed' && !isUnit(outcome))} by tests of the service`,
        `${count(({ result }) => result === 'ended')} ended in time limits or crashes`,
        `${inFolder.length - open.length} accepted`,
        `${count(({ result }) => result === 'survived')} survived`,
        `${open.filter((outcome) => outcome === undefined).length} not tried`,
      ].join(', '),
    )
  }
  return left.length === 0 && stale.length === 0
}

const isUnit = ({ by }: Outcome): boolean => by?.project.startsWith('unit') === true

const lineFor = ({ place, change }: ListedMutant): string => `${place}  ${change}`

const notTried = (outcome: Outcome | undefined): string => {
  if (outcome === undefined || outcome.tests + outcome.leftOut === 0) return '  (no test reaches it)'
  return outcome.leftOut > 0 ? `  (${outcome.leftOut} slower test files not tried)` : ''
}
