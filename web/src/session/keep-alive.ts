import { send } from '../shared/api.ts'
import { askEvery } from './session-length.ts'

/**
 * Keeps the session of an open page alive, seen or not, so that a wall display lives on.
 *
 * @param length of a session, milliseconds, where known
 * @returns stops it
 */
export function keepAlive(length: number | undefined): () => void {
  const every = askEvery(length)
  if (every === undefined) return () => {}
  const timer = setInterval(ask, every)
  return () => clearInterval(timer)
}

/** A failure is left to whatever the page asks next; a 401 leads to the login page by itself. */
function ask() {
  send('api/auth').catch(() => {})
}
