/** A mutant that no test can or needs to notice. */
export interface AcceptedMutant {
  readonly file: string
  /** The line of the source in which the change begins, without spaces around it. */
  readonly line: string
  /** As the list of survivors shows it. */
  readonly change: string
  /** Why the service is the same, or why the difference is not one of access. */
  readonly reason: string
}

export type Row = readonly [line: string, change: string, reason: string]

export const inFile = (file: string, rows: readonly Row[]): AcceptedMutant[] =>
  rows.map(([line, change, reason]) => ({ file, line, change, reason }))

/** The compiler asks for a check whose result another expression gives too. */
export const forCompiler = (reason: string): string => `Only the compiler needs it: ${reason}.`

export const byKey = 'Only the key of such a rule counts, and the type allows no other value.'
