import { readdirSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'

/** Priority steps below the service: enough that any waking thread interrupts the process. */
const steps = 10

/**
 * Gives a process that just started a lower priority than the service.
 *
 * On Linux each thread has its own priority, and a new thread inherits that of the thread that starts it.
 */
export function lowerPriority(pid: number): void {
  for (const thread of threadsOf(pid)) lower(thread)
}

/** Gives the calling worker thread a lower priority than the service's other threads. */
export function lowerOwnPriority(): void {
  // Elsewhere, it would be that of the whole service.
  if (process.platform === 'linux') lower(0)
}

/** @param thread 0: the calling one */
function lower(thread: number): void {
  try {
    setPriority(thread, Math.min(constants.priority.PRIORITY_LOW, getPriority() + steps))
  } catch {
    // The thread ended, or the system doesn't allow the change.
  }
}

function threadsOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    return [pid]
  }
}
