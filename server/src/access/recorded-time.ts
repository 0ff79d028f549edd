import type { Sent, TimeOf } from './rule.ts'

/**
 * The last moment of the time range that a request names.
 *
 * @param end path of its exclusive end, Unix seconds: `query.before`, `body.filter.before`
 */
export function beforeEnd(end: string): TimeOf {
  const names = end.split('.')
  return (request) => {
    const value = names.reduce<unknown>(inside, request)
    return value === undefined || value === null ? undefined : Math.ceil(Number(value) * 1000) - 1
  }
}

/** A request names values as its sender wrote them, so only its own properties count. */
function inside(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}

/** The time in a parameter of the path, Unix milliseconds. */
export const timeInPath =
  (name: string) =>
  ({ params }: Sent): number =>
    Number(params[name])
