/**
 * The hashing process: started by `hashing-process.ts`, derives what it is sent, and knows nothing else.
 *
 * It ends when the service does, however that ends, because their channel closes with it. Killed, for a plain exit
 * would wait for the threads that are still hashing.
 */
import { derive } from './derive.ts'
import { isHashingRequest, type HashingAnswer, type HashingRequest } from './hashing-messages.ts'

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
// Sent to all of a group or service at once. A login under way is answered first; the service ends this process.
process.on('SIGTERM', () => {})
process.on('SIGINT', () => {})

process.on('message', (message: unknown) => {
  if (isHashingRequest(message)) void answer(message)
})

async function answer({ id, ...derivation }: HashingRequest): Promise<void> {
  const derived = await derive(derivation)
  const sent: HashingAnswer = { id, derived: derived.toString('base64') }
  process.send?.(sent)
}
