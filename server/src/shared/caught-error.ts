/** The code of an error of the operating system or of Node, such as `EACCES`; undefined: the error has none. */
export const systemCodeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** The message of an error. One that has failed for each address of a host has the message of each. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/** For the message of another error that names the path or address already, which the message of a system error repeats. */
export const codeOrMessage = (error: unknown): string => systemCodeOf(error) ?? messageOf(error)

/** Whether an operation of the operating system failed, such as one on a file. Its message says which, and on what. */
export const isSystemError = (error: unknown): error is Error =>
  error instanceof Error && 'syscall' in error && typeof error.syscall === 'string'
