import { isMap, isNode, isScalar, type Document, type Pair, type YAMLMap } from 'yaml'
import { editYaml } from '../edit-yaml.ts'
import type { Schema } from '../key.ts'
import { configProblem } from '../problem-codes.ts'
import { keyText, readYaml } from '../text/yaml-text.ts'

/** Names of the sections that concern one machine. */
export const machineSections = ({ properties = {} }: Schema): readonly string[] =>
  Object.keys(properties).filter((name) => properties[name]?.machine === true)

/** Problem of a section that belongs in the config.yml of a machine; undefined for any other name. */
export const wrongSection = (schema: Schema): NonNullable<Schema['wrongName']> => {
  const names = machineSections(schema)
  return (name) =>
    names.includes(name) ? { problem: configProblem('machine-section', { section: name }), shown: name } : undefined
}

/** The two parts of a config.yml, each with its comments. */
export interface DividedConfig {
  /** What concerns only the machine. */
  readonly machine: string
  /** What several instances can share. */
  readonly document: string
  /** Names of the sections of `machine`. */
  readonly own: readonly string[]
  /** Names of the sections of `document`. */
  readonly shared: readonly string[]
}

/**
 * Divides the text of a config.yml.
 *
 * @returns undefined if it isn't a YAML map of keys
 * @throws ServiceError `conflict` if one part refers to the other with an alias
 */
export function splitConfig(text: string, schema: Schema): DividedConfig | undefined {
  const yaml = readYaml(text, () => {})
  if (!yaml) return undefined
  const top: unknown = yaml.document.contents
  if (!yaml.empty && !isMap(top)) return undefined
  const names = machineSections(schema)
  const isMachine = ({ key }: Pair): boolean => names.includes(keyText(key) ?? '')
  const found = isMap(top) ? top.items.map(({ key }) => keyText(key) ?? '') : []
  const shared = found.filter((name) => !names.includes(name))
  return {
    machine: shared.length === 0 ? text : withOnly(text, isMachine),
    document: withOnly(text, (pair) => !isMachine(pair)),
    own: found.filter((name) => names.includes(name)),
    shared,
  }
}

/**
 * The text of a complete config.yml: a shared document, followed by the sections of a machine.
 *
 * @throws ServiceError `conflict` if one of them can only be edited by hand
 */
export function joinConfig(document: string, machine: string): string {
  const added = readYaml(machine, () => {})?.document.contents
  if (!isMap(added)) return document
  return editYaml(document, ({ top }) => {
    for (const pair of added.items) {
      if (isNode(pair.key)) pair.key.spaceBefore = top.items.length > 0
      top.add(pair)
    }
  })
}

/** The text without the keys that aren't kept. Comments of a removed key are removed, those further above it stay. */
function withOnly(text: string, keeps: (pair: Pair) => boolean): string {
  return editYaml(text, ({ document, top }) => {
    let above = ''
    const kept: Pair[] = []
    for (const pair of top.items) {
      if (keeps(pair)) {
        if (above !== '' && isNode(pair.key)) pair.key.commentBefore = joined(above, pair.key.commentBefore)
        above = ''
        kept.push(pair)
      } else above = joined(above, farComment(pair))
    }
    top.items = kept
    if (kept.length === 0) leaveComments(document, top, above)
    else if (above !== '') document.comment = joined(above, document.comment)
  })
}

/** Paragraphs of the comment above a key that a blank line separates from it. */
function farComment({ key }: Pair): string {
  const comment = isScalar(key) ? (key.commentBefore ?? '') : ''
  const paragraphs = comment.split(/\n\s*\n/)
  return paragraphs.slice(0, -1).join('\n\n')
}

const joined = (...comments: readonly (string | null | undefined)[]): string =>
  comments.filter((each) => each !== '' && each !== undefined && each !== null).join('\n\n')

/** A text without keys is only its comments, instead of `{}`. */
function leaveComments(document: Document.Parsed, top: YAMLMap, above: string): void {
  document.commentBefore = joined(document.commentBefore, top.commentBefore, above, top.comment, document.comment)
  document.comment = null
  document.contents = null as typeof document.contents
}
