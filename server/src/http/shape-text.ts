import type { TSchema } from 'typebox'

/** The parts of a JSON Schema that the reference shows. */
interface Shape {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Shape[]
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, Shape>>
  readonly description?: string
}

/** A schema in TypeScript-like notation: `{ name: string, cameras: string[] }`, with one line per key. */
export const shapeText = (schema: TSchema): string => textOf(schema, '')

function textOf(shape: Shape, indent: string): string {
  if ('const' in shape) return JSON.stringify(shape.const)
  if (shape.enum) return shape.enum.map((each) => JSON.stringify(each)).join(' | ')
  if (shape.anyOf) return shape.anyOf.map((each) => textOf(each, indent)).join(' | ')
  if (shape.items) {
    const of = textOf(shape.items, indent)
    return of.includes(' | ') && !of.startsWith('{') ? `(${of})[]` : `${of}[]`
  }
  if (shape.properties) return objectText(shape.properties, shape.required ?? [], indent)
  const [values] = Object.values(shape.patternProperties ?? {})
  if (values) return `{ [name]: ${textOf(values, indent)} }`
  return [shape.type ?? 'any'].flat().join(' | ')
}

function objectText(properties: Readonly<Record<string, Shape>>, required: readonly string[], indent: string): string {
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(([key, shape]) => {
    const text = shape.description === undefined ? '' : `  // ${shape.description}`
    return `${inner}${key}${required.includes(key) ? '' : '?'}: ${textOf(shape, inner)}${text}`
  })
  return lines.length > 0 ? ['{', ...lines, `${indent}}`].join('\n') : '{}'
}

/** A schema's keys, one by one, for example the parameters of a query. */
export function keysOf(
  schema: TSchema,
): readonly { name: string; shape: string; needed: boolean; description: string }[] {
  const { properties = {}, required = [] } = schema as Shape
  return Object.entries(properties).map(([name, shape]) => ({
    name,
    shape: textOf(shape, ''),
    needed: required.includes(name),
    description: shape.description ?? '',
  }))
}
