import { conditionMutations, isCondition, isTimer } from './conditions.ts'
import { bare, nodeAt, nodesAt, parse, walk, isNode, type Edit, type Node } from './syntax.ts'

/** A source file with one change. */
export interface Mutant extends Edit {
  /** From the project root. */
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly column: number
  /** The text that is replaced, in one line. */
  readonly original: string
}

/**
 * Every mutant of a source file. Changes that a test sees whenever it sees another one are left out: `a !== b` for
 * `a === b` is seen by each test that sees `true` or `false` for it.
 *
 * Log calls, the texts of messages and the examples of the docs are left alone, and so are numbers and types.
 */
export function mutantsOf(file: string, text: string): Mutant[] {
  const program = parse(file, text)
  const edits = new Map<string, Edit>()
  const examples = examplesIn(program)
  const add = (edit: Edit): void => {
    if (examples.some(({ start, end }) => start <= edit.start && edit.end <= end)) return
    if (text.slice(edit.start, edit.end) !== edit.text) edits.set(`${edit.start} ${edit.end} ${edit.text}`, edit)
  }
  /** Parts of a condition that has already been changed as a whole. */
  const done = new Set<Node>()
  walk(program, (node, parent) => {
    if (!done.has(node) && isCondition(node, parent)) conditionMutations(node, parent, text, done).forEach(add)
    if (node.type !== 'LogicalExpression' || !done.has(node)) editsOf(node, parent, text).forEach(add)
  })
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  return [...edits.values()]
    .sort((one, other) => one.start - other.start || one.end - other.end)
    .map((edit) => {
      const line = lineStarts.findLastIndex((start) => start <= edit.start)
      const original = oneLine(text.slice(edit.start, edit.end))
      return { file, ...edit, line: line + 1, column: edit.start - (lineStarts[line] ?? 0) + 1, original }
    })
}

/** The values of `examples: […]`, which only the docs show. */
function examplesIn(program: Node): Node[] {
  const found: Node[] = []
  walk(program, (node) => {
    if (node.type === 'Property' && nodeAt(node, 'key')['name'] === 'examples') found.push(nodeAt(node, 'value'))
  })
  return found
}

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

export const applied = (text: string, { start, end, text: replacement }: Edit): string =>
  text.slice(0, start) + replacement + text.slice(end)

const boundary = new Map([
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
])

const swappedCalls = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
])

/** Methods that return a variant of what they are called on. */
const normalizing = new Set(['toLowerCase', 'toUpperCase', 'trim', 'normalize', 'filter', 'replace', 'slice'])

/** Methods that add a clause to a query. */
const clauses = new Set(['where', '$if', 'orderBy', 'limit'])

function editsOf(node: Node, parent: Node | undefined, text: string): Edit[] {
  const { start, end } = node
  const source = (of: Node): string => text.slice(of.start, of.end)
  switch (node.type) {
    case 'BinaryExpression': {
      const other = boundary.get(String(node['operator']))
      const [left, right] = [nodeAt(node, 'left'), nodeAt(node, 'right')]
      return other === undefined ? [] : [{ start, end, text: `${source(left)} ${other} ${source(right)}` }]
    }
    case 'LogicalExpression': {
      const right = nodeAt(node, 'right')
      if (node['operator'] === '&&' || isCondition(bare(right), node)) return []
      return [nodeAt(node, 'left'), right].map((side) => ({ start, end, text: source(side) }))
    }
    case 'Literal':
      if (typeof node['value'] === 'boolean') return [{ start, end, text: String(!node['value']) }]
      return isNode(parent) && 'regex' in node ? regexEdits(node, text) : []
    case 'CallExpression':
      return callEdits(node, text)
    case 'ArrayExpression':
      return elementEdits(node)
    case 'SwitchCase':
      return isNode(node['test']) && nodesAt(node, 'consequent').length > 0 ? [{ start, end, text: '' }] : []
    case 'ThrowStatement':
    case 'ReturnStatement':
    case 'ExpressionStatement':
      return isRemovable(node, parent) ? [{ start, end, text: ';' }] : []
    default:
      return []
  }
}

function callEdits(node: Node, text: string): Edit[] {
  const { start, end } = node
  const callee = bare(nodeAt(node, 'callee'))
  if (callee.type !== 'MemberExpression' || callee['computed'] === true || isTimer(callee)) return []
  const property = nodeAt(callee, 'property')
  const name = String(property['name'])
  const swapped = swappedCalls.get(name)
  if (swapped !== undefined) return [{ start: property.start, end: property.end, text: swapped }]
  const object = nodeAt(callee, 'object')
  return normalizing.has(name) || clauses.has(name) ? [{ start, end, text: text.slice(object.start, object.end) }] : []
}

/** Without one of its elements. */
function elementEdits(node: Node): Edit[] {
  const elements = nodesAt(node, 'elements')
  const isList = elements.length > 0 && elements.every(({ type }) => ['Literal', 'Identifier'].includes(type))
  if (!isList) return []
  return elements.map((element, at) => {
    const next = elements[at + 1]
    const before = elements[at - 1]
    if (next) return { start: element.start, end: next.start, text: '' }
    return { start: before?.end ?? element.start, end: element.end, text: '' }
  })
}

/** Without the anchor at its beginning or its end, or case-sensitive. */
function regexEdits({ start, end, regex }: Node, text: string): Edit[] {
  const { pattern, flags } = regex as { pattern: string; flags: string }
  const edits: Edit[] = []
  if (pattern.startsWith('^')) edits.push({ start, end, text: `/${pattern.slice(1)}/${flags}` })
  if (/(?<!\\)\$$/.test(pattern)) edits.push({ start, end, text: `/${pattern.slice(0, -1)}/${flags}` })
  if (flags.includes('i')) edits.push({ start, end, text: `/${pattern}/${flags.replace('i', '')}` })
  return edits.filter((edit) => edit.text !== text.slice(start, end) && !edit.text.startsWith('//'))
}

/** A statement that can be removed, unless a mutant of the `if` around it already removes it. */
function isRemovable(node: Node, parent: Node | undefined): boolean {
  if (parent?.type === 'IfStatement') return false
  if (node.type === 'ExpressionStatement') {
    const expression = bare(nodeAt(node, 'expression'))
    return !isLogCall(expression) && typeof node['directive'] !== 'string' && !isSuperCall(expression)
  }
  const siblings = parent ? nodesAt(parent, 'body') : []
  if (node.type === 'ThrowStatement') return true
  // The last `return` of a function is its result; another one ends it early.
  return siblings.length > 0 && siblings.at(-1) !== node
}

const isSuperCall = (expression: Node): boolean =>
  expression.type === 'CallExpression' && nodeAt(expression, 'callee').type === 'Super'

/** `log.warn(…)` */
function isLogCall(expression: Node): boolean {
  if (expression.type !== 'CallExpression') return false
  const callee = bare(nodeAt(expression, 'callee'))
  if (callee.type !== 'MemberExpression') return false
  const object = bare(nodeAt(callee, 'object'))
  return object.type === 'Identifier' ? object['name'] === 'log' : nodeIsNamedLog(object)
}

const nodeIsNamedLog = (object: Node): boolean =>
  object.type === 'MemberExpression' && nodeAt(object, 'property')['name'] === 'log'
