import { bare, nodeAt, type Edit, type Node } from './syntax.ts'

const comparisons = new Set(['===', '!==', '==', '!=', '<', '<=', '>', '>=', 'in', 'instanceof'])

/** Functions whose names say that they return a boolean. */
const predicate =
  /^(?:has|hasOwn|test|some|every|includes|startsWith|endsWith|contradict|nameUser|(?:is|are|has|can|may|sees|hides|includes|same)[A-Z]\w*)$/

/** Not loops: one that never ends isn't a check. */
const withTest = new Set(['IfStatement', 'ConditionalExpression'])

const noValue = new Set(['ExpressionStatement', 'ForStatement', 'WhileStatement', 'DoWhileStatement'])

/** Whether the expression decides something: the test of an `if`, or an expression that is a boolean. */
export function isCondition(node: Node, parent: Node | undefined): boolean {
  return isTest(node, parent) || isBoolean(node, parent)
}

/** `clock.every(…)` */
export const isTimer = (callee: Node): boolean =>
  callee.type === 'MemberExpression' && bare(nodeAt(callee, 'object'))['name'] === 'clock'

const isTest = (node: Node, parent: Node | undefined): boolean =>
  parent !== undefined && withTest.has(parent.type) && parent['test'] === node

function isBoolean(node: Node, parent: Node | undefined): boolean {
  // A call made for its effect, the end of a loop, or a function that returns no boolean in spite of its name.
  if (parent && (noValue.has(parent.type) || parent.type === 'BinaryExpression')) return false
  switch (node.type) {
    case 'BinaryExpression':
      return comparisons.has(String(node['operator']))
    case 'UnaryExpression':
      return node['operator'] === '!'
    case 'LogicalExpression':
      return node['operator'] === '&&' || (node['operator'] === '||' && isBoolean(bare(nodeAt(node, 'right')), node))
    case 'CallExpression': {
      const callee = bare(nodeAt(node, 'callee'))
      if (isTimer(callee)) return false
      const name = callee.type === 'MemberExpression' ? nodeAt(callee, 'property')['name'] : callee['name']
      return typeof name === 'string' && predicate.test(name) && parent?.type !== 'ChainExpression'
    }
    default:
      return false
  }
}

/**
 * The condition stuck at `true` and at `false`, as a whole and in each of its parts, without the variants that are the
 * same: `false && b` is what `a && false` is.
 *
 * @param done receives the parts that need no variants
 */
export function conditionMutations(root: Node, parent: Node | undefined, text: string, done: Set<Node>): Edit[] {
  const edits: Edit[] = []
  const stuck = (node: Node, value: boolean): void => {
    const current = text.slice(node.start, node.end)
    if (current !== 'true' && current !== 'false') edits.push({ start: node.start, end: node.end, text: String(value) })
  }
  const visit = (node: Node, values: readonly boolean[]): void => {
    done.add(node)
    const inner = bare(node)
    done.add(inner)
    if (inner.type === 'UnaryExpression' && inner['operator'] === '!') {
      const opposite = values.map((value) => !value)
      return visit(nodeAt(inner, 'argument'), opposite)
    }
    const operator = inner.type === 'LogicalExpression' ? inner['operator'] : undefined
    if (operator !== '&&' && operator !== '||') return values.forEach((value) => stuck(node, value))
    /** The result of the whole if one side has this value, so a side stuck at it is the whole stuck at it. */
    const deciding = operator === '||'
    if (values.includes(deciding)) stuck(node, deciding)
    const right = nodeAt(inner, 'right')
    visit(nodeAt(inner, 'left'), [!deciding])
    if (isInTest || isFlag(bare(right), inner)) visit(right, [!deciding])
  }
  const isInTest = isTest(root, parent)
  visit(root, [true, false])
  return edits
}

/** The right side of `a && b` can be any value. */
const isFlag = (node: Node, parent: Node): boolean =>
  node.type === 'Identifier' || node.type === 'MemberExpression' || isBoolean(node, parent)
