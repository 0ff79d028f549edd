import { isMap, isScalar, visit, YAMLMap, type Alias, type Document, type Node, type YAMLSeq } from 'yaml'
import { ServiceError } from '../shared/errors.ts'
import { pairNamed, readYaml } from './text/yaml-text.ts'
import type { ConfigReasons } from './reasons.ts'

/** A parsed `config.yml` and its top-level table, to be edited in place. */
export interface EditableYaml {
  readonly document: Document.Parsed
  readonly top: YAMLMap
  /** Says that these aliases can change with what they refer to. */
  readonly follow: (aliases: readonly Alias[]) => void
}

/**
 * Edits a text through its syntax tree, so that comments and order stay. An edit of one place never changes another that
 * repeats it with an alias.
 *
 * @throws ServiceError `conflict` if the text can only be edited by hand.
 */
export function editYaml(text: string, change: (yaml: EditableYaml) => void): string {
  const yaml = readYaml(text, () => {})
  if (!yaml) throw notEditable("It isn't valid YAML.")
  const { document } = yaml
  if (yaml.empty && document.contents === null) {
    // The text has only comments: they stay above the additions.
    const added = editYaml('{}\n', change)
    return added === '{}\n' ? text : `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${added}`
  }
  if (yaml.empty) document.contents = document.createNode({}) as typeof document.contents
  const top: unknown = document.contents
  if (!isMap(top)) throw notEditable("It isn't a map of keys.")
  const before = aliasedValues(document)
  change({ document, top, follow: (aliases) => aliases.forEach((alias) => before.delete(alias)) })
  for (const [alias, value] of aliasedValues(document)) {
    if (before.has(alias) && before.get(alias) !== value)
      throw notEditable(`The alias *${alias.source} would change too.`)
  }
  return textOf(document, text)
}

/**
 * What each alias refers to, as JSON; undefined if nothing has its anchor. Aliases in it aren't followed, as each of them
 * is compared itself: so many of them don't multiply.
 */
function aliasedValues(document: Document.Parsed): Map<Alias, string | undefined> {
  const anchors = new Map<string, Node>()
  const texts = new Map<Node, string>()
  const values = new Map<Alias, string | undefined>()
  visit(document, {
    Value: (_key, node) => void (node.anchor && anchors.set(node.anchor, node)),
    Alias: (_key, alias) => {
      const node = anchors.get(alias.source)
      if (node && !texts.has(node)) texts.set(node, JSON.stringify(node))
      values.set(alias, node && texts.get(node))
    },
  })
  return values
}

/** The named table inside another; added if missing or empty. */
export function tableIn(document: Document.Parsed, within: YAMLMap, name: string): YAMLMap {
  const pair = pairNamed(within, name)
  if (isMap(pair?.value)) {
    // Block style puts each key added to `{}` on its own line.
    if (pair.value.items.length === 0) pair.value.flow = false
    return pair.value
  }
  const added = new YAMLMap(document.schema)
  if (!pair) within.add(document.createPair(name, added))
  else if (pair.value === null || (isScalar(pair.value) && pair.value.value === null)) {
    // `auth: # comment` has no value yet; the comment beside it stays.
    if (isScalar(pair.value) && pair.value.comment) added.commentBefore = pair.value.comment
    pair.value = added
  } else throw notEditable(`${name} isn't a map of keys here.`)
  return added
}

/** Sets one key; a comment beside the previous value stays. */
export function setValue(
  document: Document.Parsed,
  table: YAMLMap,
  key: string,
  value: string | number | boolean,
): void {
  const pair = pairNamed(table, key)
  if (isScalar(pair?.value)) pair.value.value = value
  else if (pair) pair.value = document.createNode(value)
  else table.add(document.createPair(key, value))
}

export function removeKey(table: YAMLMap, key: string): void {
  const pair = pairNamed(table, key)
  table.items = table.items.filter((each) => each !== pair)
}

/** Sets a key. A default is not written unless the key already exists. */
export function setOrDefault(
  document: Document.Parsed,
  table: YAMLMap,
  key: string,
  { value, byDefault }: { value: string | boolean; byDefault: string | boolean },
): void {
  if (value !== byDefault || pairNamed(table, key)) setValue(document, table, key, value)
}

/** Sets a key, or removes it if there is no value. */
export function setOrRemove(
  document: Document.Parsed,
  table: YAMLMap,
  key: string,
  value: string | number | null,
): void {
  if (value === null) removeKey(table, key)
  else setValue(document, table, key, value)
}

function textOf(document: Document.Parsed, before: string): string {
  keepPadding(document, before)
  try {
    return document.toString({ lineWidth: 0 })
  } catch (cause) {
    throw notEditable('An alias refers to the part that would be removed.', cause)
  }
}

/** Keeps the previous padding: `{ a: b }` or `{a: b}`, `[ a ]` or `[a]`. */
function keepPadding(document: Document.Parsed, before: string): void {
  const [ofMaps, ofLists] = [/\{ /, /\[ /].map((padded) => (padded.test(before) ? ' ' : ''))
  visit(document, {
    Map: (_key, map) => pad(map, ofMaps ?? ''),
    Seq: (_key, list) => pad(list, ofLists ?? ''),
  })
}

function pad(collection: YAMLMap | YAMLSeq, padding: string): void {
  const { toString } = collection
  collection.toString = (ctx, ...rest) =>
    toString.call(collection, ctx && { ...ctx, flowCollectionPadding: padding }, ...rest)
}

export const notEditable = (note: string, cause?: unknown): ServiceError =>
  new ServiceError<ConfigReasons>('conflict', { reason: 'config-not-editable', note, cause })
