import type { Ending } from './ffmpeg-child.ts'
import { reasonFrom, type FixedStreamProblem } from './reason.ts'
import type { SourceInput } from './source.ts'

/** Reasons of the machine: the camera isn't to blame. Those of the stream can all mean that too little of it is known. */
const ownProblems: ReadonlySet<string> = new Set<FixedStreamProblem>(['ffmpeg-not-started', 'disk-full'])

/** Whether a longer analysis could find video where a child that has ended found none. */
export function couldFindMore(
  { isQuick, problem }: Pick<SourceInput, 'isQuick' | 'problem'>,
  { signal, lines }: Pick<Ending, 'signal' | 'lines'>,
): boolean {
  if (!isQuick || signal !== undefined || problem() !== undefined) return false
  return !ownProblems.has(reasonFrom(lines)?.code ?? '')
}
