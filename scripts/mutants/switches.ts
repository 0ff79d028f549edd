import type { Reached } from './measured-test.ts'
import { switchFunction } from './switched.ts'
import type { SwitchedMutant } from './tries.ts'

/** The switches of all mutants in one process: at most one is on. */
export interface Switches {
  turnOn(mutant: SwitchedMutant | null): void
  /** What is reached from now on counts for the test of this id; undefined: nothing is counted. */
  countFor(test: string | undefined): void
  /** What has been reached since the last call. */
  takeReached(): Reached
}

/** Defines the function that the sources call when they are evaluated. */
export function installSwitches(): Switches {
  let on: SwitchedMutant | null = null
  let test: string | undefined
  let reached = new Map<string, Map<string, Set<number>>>()

  const count = (source: string, index: number, by: string): void => {
    const tests = reached.get(source) ?? new Map<string, Set<number>>()
    reached.set(source, tests)
    const indexes = tests.get(by) ?? new Set()
    tests.set(by, indexes.add(index))
  }
  const switchFor = (source: string) => (index: number) => {
    if (test !== undefined) count(source, index, test)
    return on !== null && on.index === index && on.source === source
  }
  Object.assign(globalThis, { [switchFunction]: switchFor })
  return {
    turnOn: (mutant) => (on = mutant),
    countFor: (id) => (test = id),
    takeReached() {
      const taken = [...reached].map(([source, tests]) => [
        source,
        Object.fromEntries([...tests].map(([id, indexes]) => [id, [...indexes]])),
      ])
      reached = new Map()
      return Object.fromEntries(taken) as Reached
    },
  }
}
