import { isAlias, isMap, isScalar, isSeq, parseDocument, YAMLMap, type Document, type Pair } from 'yaml'

/** One camera as `config.yml` has it. */
export interface CameraEntry {
  readonly source: string
  /** Empty: its name is shown. */
  readonly title: string
  readonly enabled: boolean
}

/** What `config.yml` says of cameras. */
export interface CamerasInFile {
  /** undefined: the file names none, and the service shows its demo cameras. */
  readonly cameras: ReadonlyMap<string, CameraEntry> | undefined
  /** The cameras that each custom role lists. */
  readonly roles: ReadonlyMap<string, readonly string[]>
}

/** The file is written so that it takes a person to change it. */
export class ByHand extends Error {
  override readonly name = 'ByHand'
}

/** @throws ByHand where the text is no YAML of tables. */
export function readCameras(text: string): CamerasInFile {
  const top = read(text).contents
  const cameras = isMap(top) ? valueOf(top, 'cameras') : undefined
  const auth = isMap(top) ? valueOf(top, 'auth') : undefined
  const roles = isMap(auth) ? valueOf(auth, 'roles') : undefined
  return {
    cameras: isMap(cameras) ? new Map(pairsOf(cameras).map(([name, value]) => [name, entryOf(value)])) : undefined,
    roles: new Map(isMap(roles) ? pairsOf(roles).map(([name, value]) => [name, namesIn(value)]) : []),
  }
}

export interface CameraChange {
  /** What it was called; undefined for a new one. */
  readonly before: string | undefined
  readonly name: string
  readonly entry: CameraEntry
  /** Written first where the file names no cameras: what was shown until now, and is to stay. */
  readonly keep: ReadonlyMap<string, CameraEntry>
}

/** The text with one camera added or changed; roles follow a new name. Comments stay. */
export function withCamera(text: string, { before, name, entry, keep }: CameraChange): string {
  const document = read(text)
  const cameras = camerasTable(document, keep)
  const pair = before === undefined ? undefined : pairNamed(cameras, before)
  if (!pair) {
    cameras.add(document.createPair(name, plainEntry(entry)))
    return written(document, text)
  }
  if (!isMap(pair.value)) throw new ByHand()
  const table = pair.value
  setValue(document, table, 'source', entry.source)
  if (entry.title === '') table.delete('title')
  else setValue(document, table, 'title', entry.title)
  // Turned on is what it is when nothing is said.
  if (!entry.enabled || table.has('enabled')) setValue(document, table, 'enabled', entry.enabled)
  if (before !== undefined && before !== name) {
    if (isScalar(pair.key)) pair.key.value = name
    for (const list of roleLists(document)) {
      for (const each of list.items) if (isScalar(each) && each.value === before) each.value = name
    }
  }
  return written(document, text)
}

/** The text without a camera. It leaves the roles that list others too; a role has to list something. */
export function withoutCamera(text: string, name: string, keep: ReadonlyMap<string, CameraEntry>): string {
  const document = read(text)
  const cameras = camerasTable(document, keep)
  cameras.items = cameras.items.filter((pair) => nameOf(pair) !== name)
  for (const list of roleLists(document)) {
    const others = list.items.filter((each) => !(isScalar(each) && each.value === name))
    if (others.length > 0) list.items = others
  }
  if (cameras.items.length === 0) cameras.flow = true
  return written(document, text)
}

/** As the service reads it: YAML 1.2 with nothing added. */
export function read(text: string): Document.Parsed {
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
  })
  if (document.errors.length > 0) throw new ByHand()
  const top: unknown = document.contents
  if (top !== null && !isMap(top) && !(isScalar(top) && top.value === null)) throw new ByHand()
  return document
}

export function camerasTable(document: Document.Parsed, keep: ReadonlyMap<string, CameraEntry>): YAMLMap {
  const blank: unknown = document.contents
  if (!isMap(blank)) document.contents = document.createNode({}) as typeof document.contents
  const top: unknown = document.contents
  if (!isMap(top)) throw new ByHand()
  const pair = pairNamed(top, 'cameras')
  if (isMap(pair?.value)) {
    // `cameras: {}` says none; what comes into it stands on lines of its own.
    if (pair.value.items.length === 0) pair.value.flow = false
    return pair.value
  }
  if (isAlias(pair?.value)) throw new ByHand()
  const made = new YAMLMap(document.schema)
  for (const [name, entry] of keep) made.add(document.createPair(name, plainEntry(entry)))
  if (pair) pair.value = made
  else top.add(document.createPair('cameras', made))
  return made
}

function roleLists(document: Document.Parsed) {
  const roles: unknown = document.getIn(['auth', 'roles'], true)
  return isMap(roles) ? roles.items.flatMap(({ value }) => (isSeq(value) ? [value] : [])) : []
}

export function setValue(
  document: Document.Parsed,
  table: YAMLMap,
  key: string,
  value: string | number | boolean,
): void {
  const pair = pairNamed(table, key)
  // What is said beside a value stays beside it.
  if (isScalar(pair?.value)) pair.value.value = value
  else if (pair) pair.value = document.createNode(value)
  else table.add(document.createPair(key, value))
}

const plainEntry = ({ source, title, enabled }: CameraEntry) => ({
  source,
  ...(title !== '' && { title }),
  ...(!enabled && { enabled }),
})

function entryOf(value: unknown): CameraEntry {
  const [source, title, enabled] = ['source', 'title', 'enabled'].map((key) => {
    const node = isMap(value) ? valueOf(value, key) : undefined
    return isScalar(node) ? node.value : undefined
  })
  return { source: textOf(source), title: textOf(title), enabled: enabled !== false }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const namesIn = (value: unknown): readonly string[] =>
  isSeq(value) ? value.items.flatMap((each) => (isScalar(each) ? [String(each.value)] : [])) : []

/** A key as text, whatever YAML takes it for: `1` and `true` are names. */
function nameOf({ key }: Pair): string {
  if (!isScalar(key)) return ''
  return typeof key.value === 'string' ? key.value : (key.source ?? '')
}

export const pairNamed = (table: YAMLMap, name: string): Pair | undefined =>
  table.items.find((pair) => nameOf(pair) === name)
const valueOf = (table: YAMLMap, name: string): unknown => pairNamed(table, name)?.value
const pairsOf = (table: YAMLMap): [string, unknown][] => table.items.map((pair) => [nameOf(pair), pair.value])

export function written(document: Document.Parsed, before: string): string {
  try {
    // In the manner of the file: `{ a: b }` or `{a: b}`.
    return document.toString({ lineWidth: 0, flowCollectionPadding: /\{ /.test(before) })
  } catch (cause) {
    // An alias repeats what would be taken out.
    throw new ByHand('', { cause })
  }
}
