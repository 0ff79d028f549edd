import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** `killed` by a test that failed, `ended`: the tests did not end in time, or their process crashed. */
export interface Outcome {
  readonly result: 'killed' | 'ended' | 'survived'
  /** The project of the tests that failed, their file, and the title of the first. */
  readonly by?: { readonly project: string; readonly file: string; readonly test: string } | undefined
  /** Number of test files that ran. */
  readonly tests: number
  /** Number of test files that could notice, but were left out. */
  readonly leftOut: number
}

/** By source and version, and the mutant's place in its list. */
export type Outcomes = Record<string, Outcome>

/** What {@link writeJson} has written; undefined if there is no file. */
export const readJson = (file: string): unknown =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined

export function writeJson(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(value))
}
