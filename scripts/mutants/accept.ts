import type { AcceptedMutant } from './accepted/accepted-mutant.ts'
import { oneLine, type Mutant } from './mutations.ts'

/** A mutant as lists show it. */
export interface Described {
  readonly file: string
  readonly line: string
  readonly change: string
}

const short = (text: string): string => (text.length > 120 ? `${text.slice(0, 119)}…` : text)

/** @param text the source */
export function described({ file, line, original, text: replacement }: Mutant, text: string): Described {
  const replaced = oneLine(replacement)
  const change = `${short(original)} → ${replaced === '' || replaced === ';' ? 'removed' : short(replaced)}`
  return { file, line: (text.split('\n')[line - 1] ?? '').trim(), change }
}

const keyOf = ({ file, line, change }: Described): string => JSON.stringify([file, line, change])

/** Looks up mutants in the list, and finds the entries that name none. */
export function createAcceptance(list: readonly AcceptedMutant[]) {
  const reasons = new Map(list.map((entry) => [keyOf(entry), entry.reason]))
  return {
    reasonFor: (mutant: Described): string | undefined => reasons.get(keyOf(mutant)),
    /** @param mutants all mutants of the files that `covers` names */
    stale(mutants: readonly Described[], covers: (file: string) => boolean): AcceptedMutant[] {
      const existing = new Set(mutants.map(keyOf))
      return list.filter((entry) => covers(entry.file) && !existing.has(keyOf(entry)))
    },
  }
}
