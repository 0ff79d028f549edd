import { isAlias, isMap, isScalar, isSeq, type Document, type YAMLMap, type YAMLSeq } from 'yaml'
import { ServiceError } from '../../shared/errors.ts'
import { demoCameras } from '../cameras.config.ts'
import {
  notEditable,
  editYaml,
  removeKey,
  setOrDefault,
  setOrRemove,
  setValue,
  tableIn,
  type EditableYaml,
} from '../../config/edit-yaml.ts'
import { keyText, pairNamed } from '../../config/text/yaml-text.ts'
import type { CameraReasons } from '../reasons.ts'

/** Settings of a camera to add. */
export interface NewCamera {
  readonly name: string
  readonly source: string
  /** null: the name is shown. */
  readonly title: string | null
  readonly enabled: boolean
  /** Whether the camera takes over the data of a removed camera with its name. Default: false. */
  readonly inherit?: boolean
}

/**
 * Changes to a camera; undefined keys stay unchanged. Exception: `inherit` belongs to a new name, and with one,
 * undefined means false.
 */
export type CameraChange = { readonly [Key in keyof NewCamera]: NewCamera[Key] | undefined }

/**
 * Adds a camera to the text.
 *
 * @param keepDemo if the text names no cameras: whether to keep the demo cameras, which are shown until then
 * @throws ServiceError `conflict` if the camera name is taken or the text can only be edited by hand.
 */
export const withNewCamera = (text: string, { name, ...entry }: NewCamera, keepDemo: boolean): string =>
  editYaml(text, ({ document, top }) => {
    const cameras = camerasIn(document, top, keepDemo)
    refuseTaken(cameras, name)
    cameras.add(document.createPair(name, plain(entry)))
  })

/**
 * Changes a camera in the text; a rename also updates roles and groups.
 *
 * @throws ServiceError `not-found`, or `conflict` as {@link withNewCamera}.
 */
export const withCamera = (text: string, before: string, change: CameraChange): string =>
  editYaml(text, (yaml) => {
    const { document, top } = yaml
    const cameras = camerasIn(document, top)
    const table = cameraIn(cameras, before)
    const { name = before, source, title, enabled, inherit = false } = change
    if (source !== undefined) setValue(document, table, 'source', source)
    if (title !== undefined) setOrRemove(document, table, 'title', title)
    if (enabled !== undefined) setOrDefault(document, table, 'enabled', { value: enabled, byDefault: true })
    if (name === before) return
    rename(yaml, cameras, before, name)
    if (inherit) setValue(document, table, 'inherit', true)
    else removeKey(table, 'inherit')
  })

/**
 * Removes a camera from the text, from groups, and from roles that also list other cameras. A role must list at least one camera,
 * so a role that lists only this camera keeps the name and has no camera.
 *
 * @throws ServiceError as {@link withCamera}.
 */
export const withoutCamera = (text: string, name: string): string =>
  editYaml(text, (yaml) => {
    const { document, top } = yaml
    const cameras = camerasIn(document, top)
    cameraIn(cameras, name)
    removeKey(cameras, name)
    const { ofRoles, ofGroups } = nameLists(yaml)
    for (const list of ofRoles) {
      const others = list.items.filter((each) => keyText(each) !== name)
      if (others.length > 0) list.items = others
    }
    for (const list of ofGroups) list.items = list.items.filter((each) => keyText(each) !== name)
  })

/** Whether {@link withCamera} and its siblings can edit the cameras in the text. */
export function canEditCameras(text: string): boolean {
  try {
    editYaml(text, ({ document, top }) => void camerasIn(document, top))
    return true
  } catch (error) {
    if (error instanceof ServiceError && error.reason === 'config-not-editable') return false
    throw error
  }
}

/** The table of cameras. If the text names none, the demo cameras are written out first. */
export function camerasIn(document: Document.Parsed, top: YAMLMap, keepDemo = true): YAMLMap {
  const named = isMap(pairNamed(top, 'cameras')?.value)
  const cameras = tableIn(document, top, 'cameras')
  if (!named && keepDemo) {
    for (const [name, demo] of demoCameras) cameras.add(document.createPair(name, plain(demo)))
  }
  return cameras
}

/** The table of one camera. @throws ServiceError `not-found`; `conflict` if it is written elsewhere. */
export function cameraIn(cameras: YAMLMap, name: string): YAMLMap {
  const pair = pairNamed(cameras, name)
  if (!pair) throw new ServiceError('not-found', { reason: 'no-such-camera' })
  if (!isMap(pair.value)) throw notEditable(`cameras.${name} isn't a map of keys here.`)
  return pair.value
}

function rename(yaml: EditableYaml, cameras: YAMLMap, before: string, name: string): void {
  refuseTaken(cameras, name)
  const key = pairNamed(cameras, before)?.key
  if (!isScalar(key)) throw notEditable(`The name of cameras.${before} isn't plain text.`)
  key.value = name
  const { ofRoles, ofGroups } = nameLists(yaml)
  for (const list of [...ofRoles, ...ofGroups]) {
    for (const each of list.items) if (isScalar(each) && keyText(each) === before) each.value = name
  }
}

function refuseTaken(cameras: YAMLMap, name: string): void {
  if (!pairNamed(cameras, name)) return
  throw new ServiceError<CameraReasons>('conflict', { reason: 'camera-name-taken' })
}

interface NameLists {
  /** Not empty. */
  readonly ofRoles: readonly YAMLSeq[]
  readonly ofGroups: readonly YAMLSeq[]
}

/** The lists of camera names. An alias to one of them, or to a name in it, is another such list: it follows the edit. */
function nameLists({ document, follow }: EditableYaml): NameLists {
  const roles = valuesIn(document, ['auth', 'roles'])
  const groups = valuesIn(document, ['camera_groups'])
  const inRoles = roles.map(camerasOf)
  const [ofRoles, ofGroups] = [inRoles.filter((list) => isSeq(list)), groups.filter((list) => isSeq(list))]
  const names = [...ofRoles, ...ofGroups].flatMap(({ items }) => items)
  follow([...roles, ...inRoles, ...groups, ...names].filter((each) => isAlias(each)))
  return { ofRoles, ofGroups }
}

const camerasOf = (role: unknown): unknown => (isMap(role) ? pairNamed(role, 'cameras')?.value : role)

const valuesIn = (document: Document.Parsed, path: readonly string[]): unknown[] => {
  const table: unknown = document.getIn(path, true)
  return isMap(table) ? table.items.map(({ value }) => value) : []
}

const plain = ({ source, title, enabled, inherit = false }: Omit<NewCamera, 'name'>) => ({
  source,
  ...(title !== null && { title }),
  ...(!enabled && { enabled }),
  ...(inherit && { inherit }),
})
