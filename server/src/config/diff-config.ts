import { isDeepStrictEqual } from 'node:util'
import { tableValue, type Schema } from './key.ts'
import { fieldOf, type Path } from './problem-collector.ts'

export interface Difference {
  readonly field: string
  /** Whether the change takes effect only at the next start. */
  readonly restart: boolean
}

/** Paths of the keys whose values differ; for a table, the paths of its entries. */
export const diffConfig = (schema: Schema, from: unknown, to: unknown): Difference[] => differ(schema, from, to, [])

function differ(schema: Schema, from: unknown, to: unknown, path: Path): Difference[] {
  if (isDeepStrictEqual(from, to)) return []
  if (schema.properties) {
    const [before, after] = [from, to] as Readonly<Record<string, unknown>>[]
    return Object.entries(schema.properties).flatMap(([key, inner]) =>
      differ(inner, before?.[key], after?.[key], [...path, key]),
    )
  }
  if (tableValue(schema) && from instanceof Map && to instanceof Map) {
    const [before, after] = [from as Map<string, unknown>, to as Map<string, unknown>]
    const names = [...new Set([...before.keys(), ...after.keys()])]
    const changed = names.filter((name) => !isDeepStrictEqual(before.get(name), after.get(name)))
    // Same names and values in a different order; the order of roles matters.
    const fields = changed.length > 0 ? changed.map((name) => [...path, name]) : [path]
    return fields.map((each) => ({ field: fieldOf(each), restart: false }))
  }
  return [{ field: fieldOf(path), restart: schema.restart ?? false }]
}

/** The new configuration with every restart key as it was at the start, so that no half of a change is active. */
export function untilRestart<C>(schema: Schema, started: C, next: C): C {
  return keep(schema, started, next) as C
}

function keep(schema: Schema, started: unknown, next: unknown): unknown {
  if (schema.restart) return started
  if (!schema.properties) return next
  const [before, after] = [started, next] as Readonly<Record<string, unknown>>[]
  return Object.fromEntries(
    Object.entries(schema.properties).map(([key, inner]) => [key, keep(inner, before?.[key], after?.[key])]),
  )
}
