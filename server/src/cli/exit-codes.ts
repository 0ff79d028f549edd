/** Exit codes of the command, with the numbers of `sysexits.h`. */
export const exitCodes = { success: 0, failure: 1, usage: 64, noInput: 66, unavailable: 69, config: 78 } as const

export type Exit = keyof typeof exitCodes

/** What each code means. */
export const exitTexts: Readonly<Record<Exit, string>> = {
  success: 'success',
  failure: 'failure, for example of a disk; the reason was printed',
  usage: 'wrong usage: an unknown command or option, or a missing or invalid value',
  noInput: 'a file is missing or cannot be read',
  unavailable: 'the database is unreachable or locked',
  config: 'the configuration has problems',
}

/** A failure that the command reports with its message alone. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exit: Exit

  constructor(exit: Exit, message: string) {
    super(message)
    this.exit = exit
  }
}
