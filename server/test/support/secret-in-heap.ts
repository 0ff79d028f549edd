/** Prints whether the secret of an API token is still in the heap after its requests, while a stream of it is open. */
import { randomBytes } from 'node:crypto'
import { getHeapSnapshot } from 'node:v8'
import { hashOfSecret } from '../../src/auth/link-secret.ts'
import { createApiTokens, type ApiTokensDeps } from '../../src/auth/api-token/api-tokens.ts'
import { systemClock } from '../../src/shared/time/clock.ts'
import { silent } from './null-log.ts'

// Bytes are not in the snapshot, so that only what the service keeps is found.
const secret = Buffer.from(randomBytes(32).toString('base64url'))
const id = randomBytes(16).toString('hex')
const token = { id, userId: 'u', ownerKey: 'ann', secretHash: hashOfSecret(secret.toString()), cameras: null }
const user = { id: 'u', name: 'ann', key: 'ann', role: 'viewer', disabled: false, expiresAt: null }
const noted: string[] = []
const { authenticate } = createApiTokens({
  store: { tokensById: async () => [{ ...token, actions: null, expiresAt: null, credentialVersion: null }] },
  users: { byKey: () => user },
  cameras: { nameOf: (key: string) => key, version: 1 },
  limit: { acquire: async () => ({ fail() {}, release() {} }) },
  uses: { note: (used: string) => void noted.push(used) },
  addressOf: () => '192.0.2.1',
  isFresh: () => true,
  isAccepted: () => true,
  clock: systemClock,
  log: silent,
} as unknown as ApiTokensDeps)

async function requested() {
  const header = Buffer.concat([Buffer.from(`Bearer gh_${id}_`), secret]).toString('latin1')
  const values = (name: string) => (name === 'authorization' ? [header] : [])
  const { identity, reauthenticate } = (await authenticate({ peer: '', encrypted: false, values }))!
  if (identity.kind !== 'authenticated') throw new Error('the token was refused')
  return reauthenticate
}

const streams = [await requested(), await requested()]
// V8 keeps the text that was matched last.
'another text'.match(/text/)
const chunks: Buffer[] = []
for await (const chunk of getHeapSnapshot()) chunks.push(chunk as Buffer)
const heap = Buffer.concat(chunks)
// What is still used is still in the heap.
if (!heap.includes(id) || streams.length + noted.length !== 4) throw new Error('the snapshot shows nothing')
console.log(heap.includes(secret) ? 'kept' : 'not kept')
process.exit()
