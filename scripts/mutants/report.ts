import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { MeasuredTest } from './measured-test.ts'

/** `killed` by a test that failed, `ended`: the tests did not end in time, or their process crashed. */
export interface Outcome {
  readonly result: 'killed' | 'ended' | 'survived'
  /** The file and title of the test that failed. */
  readonly by?: string | undefined
  /** Number of test files that ran. */
  readonly tests: number
  /** Number of test files that could notice, but were left out. */
  readonly leftOut: number
}

/** The state of a run, for the next one to continue with. */
export interface Report {
  readonly tests: MeasuredTest[]
  /** By file, its hash and the change. */
  readonly outcomes: Record<string, Outcome>
}

export const readReport = (file: string): Report | undefined =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : undefined

export function writeReport(file: string, report: Report): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(report, undefined, 1))
}
