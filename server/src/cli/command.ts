import type { Exit } from './exit-codes.ts'

/** What a command gets from its process. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly input: AsyncIterable<Buffer | string>
  readonly output: NodeJS.WritableStream
  readonly errors: NodeJS.WritableStream
  /** Starts the service in this process, with these variables set; resolves once it is ready. */
  startService(variables: Readonly<Record<string, string>>): Promise<void>
}

export interface CommandOption {
  /** Without `--`. */
  readonly name: string
  /** Name of its value in the help; without one, the option is a switch. */
  readonly value?: string
  readonly description: string
  readonly required?: boolean
}

export interface CommandArgument {
  readonly name: string
  readonly description: string
  readonly required: boolean
}

/** The arguments after the command's name. */
export interface Given {
  readonly argument: string | undefined
  /** The value of an option. */
  text(option: string): string | undefined
  /** Whether a switch is set. */
  has(option: string): boolean
}

/** A command: `--help`, docs/command.md and the parser are made from it. */
export interface Command {
  /** As typed, such as `user add`. */
  readonly name: string
  /** One sentence. */
  readonly summary: string
  /** Paragraphs that follow the summary. */
  readonly description?: readonly string[]
  readonly argument?: CommandArgument
  readonly options: readonly CommandOption[]
  /** The codes it can exit with, besides success, failure and usage. */
  readonly exits: readonly Exit[]
  /** @throws CommandError, StartError or ServiceError, which {@link runCommand} reports */
  run(given: Given, terminal: Terminal): Promise<Exit>
}
