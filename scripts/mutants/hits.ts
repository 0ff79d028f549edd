import { hitFunction } from './hits-names.ts'
import { nodeAt, parse, walk, type Node } from './syntax.ts'

/** A part of a source file that runs as a whole. */
export interface Block {
  readonly start: number
  readonly end: number
}

/** The parts of a file in which a test can be found to run code: function bodies, blocks and arrow expressions. */
function blocksOf(program: Node): (Block & { readonly isExpression: boolean })[] {
  const blocks: (Block & { readonly isExpression: boolean })[] = []
  walk(program, (node, parent) => {
    if (node.type === 'BlockStatement') blocks.push({ start: node.start, end: node.end, isExpression: false })
    if (node.type !== 'ArrowFunctionExpression' && node.type !== 'ConditionalExpression' && node.type !== 'IfStatement')
      return
    const keys = node.type === 'ArrowFunctionExpression' ? ['body'] : ['consequent', 'alternate']
    for (const key of keys) {
      if (node[key] === null || node[key] === undefined) continue
      const part = nodeAt(node, key)
      if (part.type === 'BlockStatement' || part.type === 'IfStatement') continue
      if (node.type !== 'IfStatement' || parent)
        blocks.push({ ...spanOf(part), isExpression: node.type !== 'IfStatement' })
    }
  })
  return blocks
}

const spanOf = ({ start, end }: Node): Block => ({ start, end })

/**
 * The source with a call at the beginning of each block, which reports the block's offset in the original source; `-1`
 * for the module itself.
 *
 * @param name what the calls report as the source
 */
export function instrumented(name: string, text: string): string {
  const inserts: { at: number; text: string; order: number }[] = []
  const call = (offset: number): string => `${hitFunction}(${JSON.stringify(name)}, ${offset})`
  for (const { start, end, isExpression } of blocksOf(parse('source.ts', text))) {
    const isBraced = !isExpression && text[start] === '{'
    if (isBraced) inserts.push({ at: start + 1, text: `${call(start)};`, order: 0 })
    else {
      const [open, close] = isExpression ? [`(${call(start)}, `, ')'] : [`{ ${call(start)}; `, ' }']
      inserts.push({ at: start, text: open, order: -end }, { at: end, text: close, order: -start })
    }
  }
  const sorted = inserts.sort((one, other) => one.at - other.at || one.order - other.order)
  let result = `${call(-1)};`
  let from = 0
  for (const { at, text: inserted } of sorted) {
    result += text.slice(from, at) + inserted
    from = at
  }
  return result + text.slice(from)
}

/** The offset of the smallest block around a change, as {@link instrumented} reports it. */
export function blockAround(file: string, text: string, { start, end }: Block): number {
  const around = blocksOf(parse(file, text)).filter((block) => block.start <= start && end <= block.end)
  const smallest = around.sort((one, other) => one.end - one.start - (other.end - other.start))[0]
  return smallest?.start ?? -1
}
