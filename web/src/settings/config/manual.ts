import type { SettingsTexts } from '../../i18n/admin-texts.ts'
import { valuesOf, written, type JsonSchema } from './schema.ts'

/** The docs of a key, as an element to show next to it. */
export function manualOf(schema: JsonSchema, texts: SettingsTexts['config']['manual']): HTMLElement {
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
  if (fixed.length > 0) add(texts.allowed(fixed), 'cm-manual-fact')
  if (hasDefault(schema)) add(texts.byDefault(written(schema.default)), 'cm-manual-fact')
  const [example] = schema.examples ?? []
  if (example !== undefined) add(texts.example(written(example)), 'cm-manual-fact')
  return box
}

const hasDefault = ({ default: value, properties, patternProperties }: JsonSchema): boolean =>
  value !== undefined && !properties && !patternProperties
