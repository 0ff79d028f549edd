/**
 * A value inside another. A request names values as its sender wrote them, so only its own properties count.
 *
 * @param path property names, separated by dots.
 */
export function ownValue(from: unknown, path: string): unknown {
  let value = from
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}
