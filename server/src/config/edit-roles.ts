import { isAlias, isMap, isScalar, YAMLMap, type Document } from 'yaml'
import { ServiceError } from '../shared/errors.ts'
import { keyText, pairNamed, readYaml } from './yaml-text.ts'

/**
 * The text with one role changed, added, or (`cameras` undefined) taken out; all else, comments too, as it was.
 *
 * @throws ServiceError `conflict` where the text is written so that only a person can change it.
 */
export function withRole(text: string, name: string, cameras: readonly string[] | undefined): string {
  const yaml = readYaml(text, { flaw: () => {} })
  if (!yaml) throw byHand('it is no valid YAML')
  const { document } = yaml
  if (yaml.blank && document.contents === null) {
    return cameras ? `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${fresh(name, cameras)}` : text
  }
  if (yaml.blank) document.contents = document.createNode({}) as typeof document.contents
  const top: unknown = document.contents
  if (!isMap(top)) throw byHand('it is no table of keys')
  const roles = tableIn(document, tableIn(document, top, 'auth'), 'roles')
  if (cameras) setName(document, roles, name, cameras)
  else roles.items = roles.items.filter(({ key }) => keyText(key) !== name)
  return written(document)
}

const fresh = (name: string, cameras: readonly string[]): string =>
  `auth:\n  roles:\n    ${JSON.stringify(name)}: ${JSON.stringify(cameras)}\n`

/** The table of that name inside another; made where it is missing or empty. */
function tableIn(document: Document.Parsed, within: YAMLMap, name: string): YAMLMap {
  const pair = pairNamed(within, name)
  if (isMap(pair?.value)) return pair.value
  if (isAlias(pair?.value)) throw byHand(`\`${name}\` is given by an alias`)
  const made = new YAMLMap(document.schema)
  if (!pair) within.add(document.createPair(name, made))
  else {
    // `auth: # why` says nothing yet; what is said beside it stays.
    if (isScalar(pair.value) && pair.value.comment) made.commentBefore = pair.value.comment
    pair.value = made
  }
  return made
}

function setName(document: Document.Parsed, roles: YAMLMap, name: string, cameras: readonly string[]): void {
  const list = document.createNode([...cameras], { flow: true })
  const pair = pairNamed(roles, name)
  if (!pair) {
    roles.add(document.createPair(name, list))
    return
  }
  const old = pair.value as { commentBefore?: string | null; comment?: string | null } | null
  list.commentBefore = old?.commentBefore ?? null
  list.comment = old?.comment ?? null
  pair.value = list
}

function written(document: Document.Parsed): string {
  try {
    return document.toString({ lineWidth: 0, flowCollectionPadding: false })
  } catch (cause) {
    throw byHand('an alias repeats what would be taken out', cause)
  }
}

const byHand = (why: string, cause?: unknown): ServiceError =>
  new ServiceError('conflict', `config.yml cannot be changed from here: ${why}. Change it by hand.`, {
    reason: 'config-by-hand',
    cause,
  })
