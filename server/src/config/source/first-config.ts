import { tableValue, type Schema } from '../key.ts'
import { yamlOf } from '../text/yaml-words.ts'

/** The file created at the first start: every key with its description and default, all commented out. */
export function firstConfig(config: Schema): string {
  const sections = Object.entries(config.properties ?? {}).map(([key, schema]) => entry(key, schema, 0))
  return [
    '# The configuration of Gatehouse. docs/config.md describes every key in detail.',
    '# Everything below is commented out and shows the defaults. To change a key, remove the first # of its line and of',
    '# the lines above that it belongs to. A saved file is checked, and applied within two seconds if it is valid.',
    '',
    ...sections.map((lines) => `${lines.map((line) => `#${line}`).join('\n')}\n`),
  ].join('\n')
}

function entry(key: string, schema: Schema, depth: number): string[] {
  const indent = '  '.repeat(depth)
  const reported = wrapped(schema.description ?? '', 112 - indent.length).map((line) => `${indent}# ${line}`)
  if (schema.properties) {
    const inner = Object.entries(schema.properties).flatMap(([name, value]) => entry(name, value, depth + 1))
    return [...reported, `${indent}${key}:`, ...inner]
  }
  const [example] = schema.examples ?? []
  const shown = tableValue(schema) ? [`${indent}# Example: ${key}: ${yamlOf(example)}`] : []
  // A missing `cameras` means the demo cameras; `{}` would mean no cameras.
  if (key === 'cameras' && depth === 0) return [...reported, ...shown, `${key}:`]
  return [...reported, ...shown, `${indent}${key}: ${yamlOf(schema.default)}`]
}

function wrapped(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + word.length >= width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}
