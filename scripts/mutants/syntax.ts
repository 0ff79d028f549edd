import { parseSync } from 'vite'

/** A change of the source: the text between two offsets is replaced. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A node of the syntax tree (ESTree with TypeScript). */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** @throws Error if the file cannot be parsed */
export function parse(file: string, text: string): Node {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  return program as unknown as Node
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

/** TypeScript nodes around an expression that exists at run time. */
const aroundExpression = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'])

/** The nodes directly below a node that exist at run time, in the order of the source. */
export function childrenOf(node: Node): Node[] {
  if (aroundExpression.has(node.type)) return [nodeAt(node, 'expression')]
  return Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]))
    .filter(isNode)
    .filter(({ type }) => !type.startsWith('TS') || aroundExpression.has(type))
    .sort((one, other) => one.start - other.start)
}

/** Visits a node and all below it. */
export function walk(node: Node, visit: (node: Node, parent: Node | undefined) => void, parent?: Node): void {
  visit(node, parent)
  for (const child of childrenOf(node)) walk(child, visit, node)
}

/** A node's child. @throws Error if there is none */
export function nodeAt(node: Node, key: string): Node {
  const child = node[key]
  if (!isNode(child)) throw new Error(`${node.type} has no ${key}`)
  return child
}

export const nodesAt = (node: Node, key: string): Node[] => {
  const list = node[key]
  return Array.isArray(list) ? list.filter(isNode) : []
}

/** The expression without parentheses and types around it. */
export const bare = (node: Node): Node =>
  node.type === 'ParenthesizedExpression' || aroundExpression.has(node.type) ? bare(nodeAt(node, 'expression')) : node
