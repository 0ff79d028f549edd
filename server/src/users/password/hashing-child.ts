/**
 * The hashing process: started by `hashing-process.ts`, derives keys from the messages it receives.
 *
 * It ends whenever the service ends, because their channel closes. It kills itself because a plain exit would wait for
 * threads that are still hashing.
 */
import { derive } from './derive.ts'
import { isHashingRequest, type HashingResponse, type HashingRequest } from './hashing-messages.ts'

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
// Ignored: these signals go to the whole process group, and the service ends this process after pending logins.
process.on('SIGTERM', () => {})
process.on('SIGINT', () => {})

process.on('message', (message: unknown) => {
  if (isHashingRequest(message)) void answer(message)
})

async function answer({ id, ...derivation }: HashingRequest): Promise<void> {
  const derived = await derive(derivation)
  const sent: HashingResponse = { id, derived: derived.toString('base64') }
  process.send?.(sent)
}
