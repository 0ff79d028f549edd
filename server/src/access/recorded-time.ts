import { ownValue } from './own-value.ts'
import type { Sent, TimeOf } from './rule.ts'

/**
 * The last moment of the time range that a request names.
 *
 * @param end path of its exclusive end, Unix seconds: `query.before`, `body.filter.before`
 */
export const beforeEnd =
  (end: string): TimeOf =>
  (request) => {
    const value = ownValue(request, end)
    return value === undefined || value === null ? undefined : Math.ceil(Number(value) * 1000) - 1
  }

/** The time in a parameter of the path, Unix milliseconds. */
export const timeInPath =
  (name: string) =>
  ({ params }: Sent): number =>
    Number(params[name])
