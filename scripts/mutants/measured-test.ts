import { createHash } from 'node:crypto'

/** A test file, and the project of vitest.config.ts that runs it. */
export interface TestFile {
  readonly project: string
  /** From the project root. */
  readonly file: string
}

/** A test file that fails with the source as it is, so that it says nothing about a mutant. */
export interface FailingTest extends TestFile {
  /** The title of the test that failed. */
  readonly test: string
}

/** What the first run found out about a test file. */
export interface MeasuredTest extends TestFile {
  readonly seconds: number
  /** Changes with the test file and all that it imports. */
  readonly hash: string
  readonly reached: Reached
}

/**
 * The mutants that a test file reaches, by source as {@link sourceKey} names it, and by the id of the test;
 * {@link whileImporting} and {@link outsideTests} stand for the rest of the file.
 */
export type Reached = Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>

/** While modules were evaluated. */
export const whileImporting = 'import'

/** In hooks around several tests. */
export const outsideTests = 'file'

/** One version of a source file. */
export interface Source {
  readonly file: string
  readonly hash: string
}

export const sourceKey = ({ file, hash }: Source): string => `${file}#${hash}`

/** Hash of a file's text. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)
