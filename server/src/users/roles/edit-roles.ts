import { isMap, type Document, type Node, type YAMLMap } from 'yaml'
import { isNameOfCamera, newRoleKeys, type RoleKeys } from './roles.config.ts'
import { editYaml, removeKey, tableIn } from '../../config/edit-yaml.ts'
import { keyText, pairNamed } from '../../config/text/yaml-text.ts'

/**
 * Changes, adds or (`role` undefined) removes one role; everything else stays, including comments. A role with nothing
 * but names of cameras is written as a list.
 *
 * @throws ServiceError `conflict` if the text can only be edited by hand.
 */
export function withRole(text: string, name: string, role: RoleKeys | undefined): string {
  return editYaml(text, ({ document, top }) => {
    if (!role && !pairNamed(top, 'auth')) return
    const roles = tableIn(document, tableIn(document, top, 'auth'), 'roles')
    if (role) setRole(document, roles, name, role)
    else roles.items = roles.items.filter(({ key }) => keyText(key) !== name)
  })
}

function setRole(document: Document.Parsed, roles: YAMLMap, name: string, role: RoleKeys): void {
  const pair = pairNamed(roles, name)
  if (isMap(pair?.value)) return setKeys(document, pair.value, role)
  const value = isPlain(role) ? listOf(document, role.cameras) : mapOf(document, role)
  if (!pair) {
    roles.add(document.createPair(name, value))
    return
  }
  keepComments(pair.value, value)
  pair.value = value
}

/** Whether a list of camera names says all of the role. */
const isPlain = ({ cameras, ...others }: RoleKeys): boolean => {
  const { cameras: _none, ...byDefault } = newRoleKeys
  return cameras.every(isNameOfCamera) && JSON.stringify(others) === JSON.stringify(byDefault)
}

const listOf = (document: Document.Parsed, items: readonly string[]): Node =>
  document.createNode([...items], { flow: true })

function mapOf(document: Document.Parsed, role: RoleKeys): YAMLMap {
  const map = document.createNode({}) as YAMLMap
  map.flow = false
  setKeys(document, map, role)
  return map
}

/** Sets every key that the map has or that is not the default. */
function setKeys(document: Document.Parsed, map: YAMLMap, role: RoleKeys): void {
  for (const [key, value] of Object.entries(role)) {
    const pair = pairNamed(map, key)
    const isDefault = JSON.stringify(value) === JSON.stringify(newRoleKeys[key as keyof RoleKeys])
    if (isDefault && key !== 'cameras') {
      removeKey(map, key)
      continue
    }
    const node: Node = document.createNode(value, { flow: Array.isArray(value) })
    if (!pair) map.add(document.createPair(key, node))
    else if (JSON.stringify((pair.value as Node | null)?.toJS(document)) !== JSON.stringify(value)) {
      keepComments(pair.value, node)
      pair.value = node
    }
  }
}

interface Commented {
  commentBefore?: string | null
  comment?: string | null
}

function keepComments(before: unknown, after: Commented): void {
  const old = before as Commented | null
  after.commentBefore = old?.commentBefore ?? null
  after.comment = old?.comment ?? null
}
