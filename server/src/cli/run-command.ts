import { CommanderError } from 'commander'
import { isUnavailable, ServiceError, StartError } from '../shared/errors.ts'
import { isSystemError, messageOf } from '../shared/caught-error.ts'
import { isPrivilegeMissing } from '../store/sql-state.ts'
import type { Terminal } from './command.ts'
import { CommandError, exitCodes, type Exit } from './exit-codes.ts'
import { createParser, exitOfParser } from './program.ts'

/**
 * Runs what was typed after `gatehouse`. Reports failures to `terminal.errors`.
 *
 * @returns the exit code
 */
export async function runCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  let exit: Exit = 'success'
  const parser = createParser({
    terminal,
    run: async (command, given) => void (exit = await command.run(given, terminal)),
  })
  try {
    await parser.parseAsync(words, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) return exitCodes[exitOfParser(error)]
    terminal.errors.write(`${textOf(error)}\n`)
    return statusOf(error)
  }
  return exitCodes[exit]
}

/** An unexpected error is shown with its stack, which names no values. */
function textOf(error: unknown): string {
  if (error instanceof CommandError || error instanceof StartError || error instanceof ServiceError)
    return error.message
  if (isSystemError(error)) return error.message
  if (isPrivilegeMissing(error)) return `The PostgreSQL role of database.url lacks a privilege: ${messageOf(error)}.`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function statusOf(error: unknown): number {
  if (error instanceof CommandError) return exitCodes[error.exit]
  if (error instanceof StartError) return error.status
  if (isUnavailable(error)) return exitCodes.unavailable
  return exitCodes.failure
}
