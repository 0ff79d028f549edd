import { Type } from 'typebox'
import { networkProblem } from '../shared/networks.ts'
import type { ValueFormat, KeyDocs } from './key.ts'
import { quoted, type Path, type ProblemCollector } from './problem-collector.ts'

const network: ValueFormat = {
  form: 'network',
  words: 'an address or a network range, as `10.0.0.0/8` or `fd00::/8`',
}

/** A list of addresses and network ranges. */
export const NetworkRanges = (manual: Partial<KeyDocs> & { minItems?: number }) =>
  Type.Array(Type.String({ allowed: network }), manual)

/** @param shown what of a wrong entry is quoted */
export function checkRanges(
  ranges: readonly string[],
  path: Path,
  { problem, warning }: ProblemCollector,
  shown: (text: string) => string = (text) => text,
): void {
  for (const [index, range] of ranges.entries()) {
    const trouble = networkProblem(range)
    if (trouble !== undefined) {
      problem([...path, index], { ...trouble, message: `${quoted(shown(range))} ${trouble.message}` })
    } else if (range.endsWith('/0')) {
      warning([...path, index], { code: 'trusts-everybody', message: 'trusts every address there is' })
    }
  }
}
