import { readFileSync } from 'node:fs'

/**
 * Milliseconds of a steady clock that stops while this thread could run but the machine is busy with other processes, if
 * the kernel counts that. For time limits of the service.
 */
export const ownTime = (): number => performance.now() - processorWait()

function processorWait(): number {
  try {
    const [, nanoseconds] = readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')
    return Number(nanoseconds) / 1e6
  } catch {
    return 0
  }
}
