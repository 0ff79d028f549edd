import { isMap, isScalar, isSeq, type Document, type YAMLMap } from 'yaml'
import { ServiceError } from '../shared/errors.ts'
import { demoCameras } from './cameras.config.ts'
import { byHand, editYaml, removeKey, setOrDefault, setOrRemove, setValue, tableIn } from './edit-yaml.ts'
import { keyText, pairNamed } from './yaml-text.ts'

/** What a camera is made from. */
export interface NewCamera {
  readonly name: string
  readonly source: string
  /** null: its name is shown. */
  readonly title: string | null
  readonly enabled: boolean
  /** Whether it goes on with what a removed camera of its name had. Default: false. */
  readonly inherit?: boolean
}

/**
 * What changes; keys that are undefined stay as they are. But for `inherit`: with a new name it is about that name, and
 * false where it is undefined.
 */
export type CameraChange = { readonly [Key in keyof NewCamera]: NewCamera[Key] | undefined }

/**
 * The text with one camera more.
 *
 * @param keepDemo where the text names no cameras: whether the demo cameras, which are shown until then, stay
 * @throws ServiceError `conflict` where there is a camera with this name, or only a person can change the text.
 */
export const withNewCamera = (text: string, { name, ...entry }: NewCamera, keepDemo: boolean): string =>
  editYaml(text, ({ document, top }) => {
    const cameras = camerasIn(document, top, keepDemo)
    refuseTaken(cameras, name)
    cameras.add(document.createPair(name, plain(entry)))
  })

/**
 * The text with one camera changed; roles follow a new name.
 *
 * @throws ServiceError `not-found`, or `conflict` as {@link withNewCamera}.
 */
export const withCamera = (text: string, before: string, change: CameraChange): string =>
  editYaml(text, ({ document, top }) => {
    const cameras = camerasIn(document, top)
    const table = cameraIn(cameras, before)
    const { name = before, source, title, enabled, inherit = false } = change
    if (source !== undefined) setValue(document, table, 'source', source)
    if (title !== undefined) setOrRemove(document, table, 'title', title)
    if (enabled !== undefined) setOrDefault(document, table, 'enabled', { value: enabled, byDefault: true })
    if (name === before) return
    rename(document, cameras, before, name)
    if (inherit) setValue(document, table, 'inherit', true)
    else removeKey(table, 'inherit')
  })

/**
 * The text without a camera. Roles that list others too no longer list it; a role has to list something, so one that
 * lists it alone keeps it, and has no camera.
 *
 * @throws ServiceError as {@link withCamera}.
 */
export const withoutCamera = (text: string, name: string): string =>
  editYaml(text, ({ document, top }) => {
    const cameras = camerasIn(document, top)
    cameraIn(cameras, name)
    removeKey(cameras, name)
    for (const list of roleLists(document)) {
      const others = list.items.filter((each) => keyText(each) !== name)
      if (others.length > 0) list.items = others
    }
  })

/** Whether cameras can be changed in the text by {@link withCamera} and the like. */
export function canEditCameras(text: string): boolean {
  try {
    editYaml(text, ({ document, top }) => void camerasIn(document, top))
    return true
  } catch (error) {
    if (error instanceof ServiceError && error.reason === 'config-by-hand') return false
    throw error
  }
}

/** The table of cameras. Where the text names none, the demo cameras are written out first. */
export function camerasIn(document: Document.Parsed, top: YAMLMap, keepDemo = true): YAMLMap {
  const named = isMap(pairNamed(top, 'cameras')?.value)
  const cameras = tableIn(document, top, 'cameras')
  if (!named && keepDemo) {
    for (const [name, demo] of demoCameras) cameras.add(document.createPair(name, plain(demo)))
  }
  return cameras
}

/** The table of one camera. @throws ServiceError `not-found`; `conflict` where it is written elsewhere. */
export function cameraIn(cameras: YAMLMap, name: string): YAMLMap {
  const pair = pairNamed(cameras, name)
  if (!pair) throw new ServiceError('not-found', 'No such camera.', { reason: 'no-such-camera' })
  if (!isMap(pair.value)) throw byHand(`\`cameras.${name}\` is not a table written here`)
  return pair.value
}

function rename(document: Document.Parsed, cameras: YAMLMap, before: string, name: string): void {
  refuseTaken(cameras, name)
  const key = pairNamed(cameras, before)?.key
  if (!isScalar(key)) throw byHand(`the name of \`cameras.${before}\` is not plain text`)
  key.value = name
  for (const list of roleLists(document)) {
    for (const each of list.items) if (isScalar(each) && keyText(each) === before) each.value = name
  }
}

function refuseTaken(cameras: YAMLMap, name: string): void {
  if (!pairNamed(cameras, name)) return
  throw new ServiceError('conflict', 'There is a camera with this name.', { reason: 'camera-name-taken' })
}

function roleLists(document: Document.Parsed) {
  const roles: unknown = document.getIn(['auth', 'roles'], true)
  return isMap(roles) ? roles.items.flatMap(({ value }) => (isSeq(value) ? [value] : [])) : []
}

const plain = ({ source, title, enabled, inherit = false }: Omit<NewCamera, 'name'>) => ({
  source,
  ...(title !== null && { title }),
  ...(!enabled && { enabled }),
  ...(inherit && { inherit }),
})
