import type { Texts } from '../../../i18n/texts.ts'
import { valuesOf, written, type JsonSchema } from './schema.ts'

/** The docs of a key, as an element to show next to it. */
export function manualOf(schema: JsonSchema, { config: { manual }, listSeparator }: Texts<'config'>): HTMLElement {
  const box = document.createElement('div')
  box.className = 'cm-manual'
  const add = (text: string, className = ''): void => {
    const line = document.createElement('p')
    line.textContent = text
    line.className = className
    box.append(line)
  }
  if (schema.description) add(schema.description)
  const fixed = schema.enum ? valuesOf({ enum: schema.enum }) : []
  if (fixed.length > 0) add(manual.allowed({ values: fixed.join(listSeparator) }), 'cm-manual-fact')
  if (hasDefault(schema)) add(manual.byDefault({ value: written(schema.default) }), 'cm-manual-fact')
  const [example] = schema.examples ?? []
  if (example !== undefined) add(manual.example({ value: written(example) }), 'cm-manual-fact')
  return box
}

const hasDefault = ({ default: value, properties, patternProperties }: JsonSchema): boolean =>
  value !== undefined && !properties && !patternProperties
