import type { Reached, TestFile } from './measured-test.ts'

/** A mutant, as the switches know it. */
export interface SwitchedMutant {
  /** As `sourceKey` names it. */
  readonly source: string
  /** Its place in the list of the source's mutants. */
  readonly index: number
}

/** One run of a test file. */
export interface Try extends TestFile {
  /** null: the source as it is; what the tests reach is written down. */
  readonly mutant: SwitchedMutant | null
  /** Ids of the tests that run; undefined: all of the file. */
  readonly tests?: readonly string[] | undefined
  /** Whether modules are evaluated again, because the mutant is in code that runs when they are. */
  readonly evaluates: boolean
}

/**
 * - `passed`: no test noticed the mutant.
 * - `failed`: a test failed, and passed without the mutant.
 * - `unsure`: a test failed, and without the mutant too.
 * - `known`: not run, as an earlier test file has already failed.
 */
export interface TryResult {
  readonly result: 'passed' | 'failed' | 'unsure' | 'known'
  /** The title of the test that failed. */
  readonly test?: string | undefined
  readonly seconds: number
  readonly reached?: Reached | undefined
}

/** A line of the journal that the worker writes: a try begins, or has ended. */
export interface JournalLine {
  /** Place of the try in the list. */
  readonly at: number
  readonly result?: TryResult
}

declare module 'vitest' {
  interface ProvidedContext {
    tries: readonly Try[]
    /** The file that the worker appends its lines to. */
    journal: string
  }
}
