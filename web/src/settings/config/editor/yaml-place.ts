import { item, type Step } from './schema.ts'

/** The position in a YAML file where the user is typing. */
export interface YamlPlace {
  readonly kind: 'key' | 'value'
  /** The path of the table that contains the key, or of the value. */
  readonly path: readonly Step[]
  /** Offset at which the partly typed word starts. */
  readonly from: number
  /** Columns before the key. */
  readonly indent: number
}

const key = String.raw`("[^"]*"|'[^']*'|[^\s:#'"{}[\],][^:#{}[\],]*?)`
const keyLine = new RegExp(String.raw`^(\s*)((?:- +)*)${key}\s*:(?:\s|$)`)
const typingValue = new RegExp(String.raw`^(\s*)((?:- +)*)${key}\s*:\s+(\S*)$`)
const typingInList = new RegExp(String.raw`^(\s*)((?:- +)*)${key}\s*:\s+\[(?:[^\]#]*,)?\s*([^\s,\]]*)$`)
const typingItem = /^(\s*)- +([^\s:]*)$/
const typingKey = /^(\s*)([^\s:#'"{}[\],-][^\s:#{}[\],]*)?$/

/** Finds the position from the indentation of the lines above: a file being edited is rarely valid YAML. */
export function placeIn(text: string, at: number): YamlPlace | undefined {
  const start = text.lastIndexOf('\n', at - 1) + 1
  const before = text.slice(start, at)
  const above = text.slice(0, start).split('\n').slice(0, -1)

  const inList = typingInList.exec(before)
  if (inList) {
    const [, space = '', dashes = '', name = '', typed = ''] = inList
    const indent = space.length + dashes.length
    return { kind: 'value', path: [...parents(above, indent), plain(name), item], from: at - typed.length, indent }
  }
  const value = typingValue.exec(before)
  if (value) {
    const [, space = '', dashes = '', name = '', typed = ''] = value
    const indent = space.length + dashes.length
    return { kind: 'value', path: [...parents(above, indent), plain(name)], from: at - typed.length, indent }
  }
  const listed = typingItem.exec(before)
  if (listed) {
    const [, space = '', typed = ''] = listed
    // YAML allows list items at the same indentation as their key.
    return {
      kind: 'value',
      path: [...parents(above, space.length + 1), item],
      from: at - typed.length,
      indent: space.length,
    }
  }
  const named = typingKey.exec(before)
  if (!named) return undefined
  const [, space = '', typed = ''] = named
  return { kind: 'key', path: parents(above, space.length), from: at - typed.length, indent: space.length }
}

/** The path of the key on a line; undefined if the line has no key. */
export function pathOfLine(text: string, at: number): readonly string[] | undefined {
  const start = text.lastIndexOf('\n', at - 1) + 1
  const end = text.indexOf('\n', at)
  const [, space = '', dashes = '', name] = keyLine.exec(text.slice(start, end < 0 ? undefined : end)) ?? []
  if (name === undefined) return undefined
  return [...parents(text.slice(0, start).split('\n').slice(0, -1), space.length + dashes.length), plain(name)]
}

/** The names directly below a path, in file order. */
export function namesBelow(text: string, path: readonly string[]): readonly string[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    const [, space = '', , name] = keyLine.exec(line) ?? []
    if (name === undefined) return []
    const over = parents(lines.slice(0, index), space.length)
    return over.length === path.length && over.every((each, at) => each === path[at]) ? [plain(name)] : []
  })
}

function parents(above: readonly string[], indent: number): string[] {
  const path: string[] = []
  let left = indent
  for (const line of above.toReversed()) {
    if (left === 0) break
    const [, space = '', dashes = '', name] = keyLine.exec(line) ?? []
    const column = space.length + dashes.length
    if (name === undefined || column >= left) continue
    path.unshift(plain(name))
    left = column
  }
  return path
}

const plain = (name: string): string => name.replace(/^(["'])(.*)\1$/, '$2')
