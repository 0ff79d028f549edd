/** A mutant that no test can or needs to notice. */
export interface Accepted {
  readonly file: string
  /** The line of the source in which the change begins, without spaces around it. */
  readonly line: string
  /** As the list of survivors shows it. */
  readonly change: string
  /** Why the service is the same, or why the difference is not one of access. */
  readonly reason: string
}

export const accepted: readonly Accepted[] = []
