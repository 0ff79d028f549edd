import { systemCodeOf } from '../caught-error.ts'

/** Whether an error says that a file or folder doesn't exist. */
export const isMissing = (error: unknown): boolean => systemCodeOf(error) === 'ENOENT'

/** Handles the error of an operation on a file that may not exist: then its result is undefined. */
export function undefinedIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
}
