import { Type } from 'typebox'
import type { CodedMessage } from '../../shared/messages/coded-message.ts'
import { networkProblem, type NetworkProblems } from '../../shared/http/networks.ts'
import type { KeyDocs } from '../key.ts'
import { quoted, type Path, type SectionReport } from '../problem-collector.ts'
import { configProblem } from '../problem-codes.ts'

/** A list of IP addresses and network ranges. */
export const NetworkRanges = (manual: Partial<KeyDocs> & { minItems?: number }) =>
  Type.Array(Type.String({ allowed: 'network' }), manual)

export interface NetworkRangeProblems extends NetworkProblems {
  'trusts-everyone': null
}

/** @param shown returns the part of a wrong entry that a message can quote */
export function checkRanges(
  ranges: readonly string[],
  path: Path,
  { problem, warning }: SectionReport<CodedMessage<NetworkRangeProblems>>,
  shown: (text: string) => string = (text) => text,
): void {
  for (const [index, range] of ranges.entries()) {
    const trouble = networkProblem(range, quoted(shown(range)))
    if (trouble !== undefined) problem([...path, index], trouble)
    else if (range.endsWith('/0')) warning([...path, index], configProblem('trusts-everyone'))
  }
}
