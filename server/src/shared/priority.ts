import { readdirSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'

/** How many steps of priority a process gives way to us: enough that whatever wakes up interrupts it. */
const steps = 10

/**
 * Lets everything else go before a process that was just started: it has a lower priority than this one.
 *
 * On Linux a priority is a thread's, and a later thread has that of the one which starts it.
 */
export function lowerPriority(pid: number): void {
  const lower = Math.min(constants.priority.PRIORITY_LOW, getPriority() + steps)
  for (const thread of threadsOf(pid)) {
    try {
      setPriority(thread, lower)
    } catch {
      // It ended by itself, or the system does not let us.
    }
  }
}

function threadsOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    return [pid]
  }
}
