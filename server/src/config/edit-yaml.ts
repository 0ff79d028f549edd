import { isMap, isScalar, visit, YAMLMap, type Document, type YAMLSeq } from 'yaml'
import { ServiceError } from '../shared/errors.ts'
import { pairNamed, readYaml } from './yaml-text.ts'

/** A parsed `config.yml` and its top table, to be changed in place. */
export interface EditableYaml {
  readonly document: Document.Parsed
  readonly top: YAMLMap
}

/**
 * Changes a text through its tree, so that comments, order and everything else stay.
 *
 * @throws ServiceError `conflict` where the text is written so that only a person can change it.
 */
export function editYaml(text: string, change: (yaml: EditableYaml) => void): string {
  const yaml = readYaml(text, { flaw: () => {} })
  if (!yaml) throw byHand('it is not valid YAML')
  const { document } = yaml
  if (yaml.blank && document.contents === null) {
    // Only comments: they stay above what is added.
    const added = editYaml('{}\n', change)
    return added === '{}\n' ? text : `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${added}`
  }
  if (yaml.blank) document.contents = document.createNode({}) as typeof document.contents
  const top: unknown = document.contents
  if (!isMap(top)) throw byHand('it is not a table of keys')
  change({ document, top })
  return textOf(document, text)
}

/** The table with this name inside another; added where it is missing or empty. */
export function tableIn(document: Document.Parsed, within: YAMLMap, name: string): YAMLMap {
  const pair = pairNamed(within, name)
  if (isMap(pair?.value)) {
    // What is added to `{}` goes on lines of its own.
    if (pair.value.items.length === 0) pair.value.flow = false
    return pair.value
  }
  const added = new YAMLMap(document.schema)
  if (!pair) within.add(document.createPair(name, added))
  else if (pair.value === null || (isScalar(pair.value) && pair.value.value === null)) {
    // `auth: # why` has no value yet; the comment beside it stays.
    if (isScalar(pair.value) && pair.value.comment) added.commentBefore = pair.value.comment
    pair.value = added
  } else throw byHand(`\`${name}\` is not a table written here`)
  return added
}

/** Sets one key; a comment beside the old value stays. */
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

/** Removes one key. */
export function removeKey(table: YAMLMap, key: string): void {
  const pair = pairNamed(table, key)
  table.items = table.items.filter((each) => each !== pair)
}

/** Sets a key whose default is not written out, unless the key is there already. */
export function setOrDefault(
  document: Document.Parsed,
  table: YAMLMap,
  key: string,
  { value, byDefault }: { value: string | boolean; byDefault: string | boolean },
): void {
  if (value !== byDefault || pairNamed(table, key)) setValue(document, table, key, value)
}

/** Sets a key, or removes it where there is no value. */
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
    throw byHand('an alias repeats what would be removed', cause)
  }
}

/** In the style of the text before: `{ a: b }` or `{a: b}`, `[ a ]` or `[a]`. */
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

export const byHand = (why: string, cause?: unknown): ServiceError =>
  new ServiceError('conflict', `config.yml cannot be changed from here: ${why}. Change it by hand.`, {
    reason: 'config-by-hand',
    cause,
  })
