import { isUnavailable } from './errors.ts'

/**
 * Does each part of some work, also after another one failed. But without the database or the disk, every part would
 * fail: `unavailable` ends the work.
 *
 * @throws the first error
 */
export async function everyPart(parts: Iterable<() => Promise<unknown>>): Promise<void> {
  const errors: unknown[] = []
  for (const part of parts) {
    try {
      await part()
    } catch (error) {
      if (isUnavailable(error)) throw error
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
