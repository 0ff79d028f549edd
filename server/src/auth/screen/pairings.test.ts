import { beforeEach, describe, expect, test } from 'vitest'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { systemRandom } from '../../shared/random.ts'
import { hashOfSecret } from '../link-secret.ts'
import { testEntry } from '../../../test/support/test-entry.ts'
import { createPairings } from './pairings.ts'
import type { Pairing, PickUp } from './screen-store.ts'

const clock = createTestClock()
const waits: Pairing = {
  idHash: 'hash',
  code: 'ACDE3467',
  address: '192.0.2.7',
  userAgent: 'a browser',
  createdAt: 1,
  expiresAt: 2,
}

let answers: ('added' | 'code-taken' | 'full')[]
let added: [Pairing, number][]
const entry = () => testEntry
let picked: { screen: string } | 'waiting' | 'over'
let pickUps: [string, PickUp][]
let permits: string[]
let pairings: ReturnType<typeof createPairings>
beforeEach(() => {
  answers = []
  added = []
  picked = 'waiting'
  pickUps = []
  permits = []
  pairings = createPairings({
    store: {
      async addPairing(pairing, max) {
        added.push([pairing, max])
        if (added.length > 50) throw new Error('it never ends')
        return answers.shift() ?? 'added'
      },
      async pickUp(idHash, secret) {
        pickUps.push([idHash, secret])
        return picked
      },
      // As the database, it has no query for an undefined code.
      waitingPairing: async (code, now) => (code.trim() === waits.code && now === clock.now() ? waits : undefined),
    },
    limit: {
      async acquire(address) {
        permits.push(address)
        return { fail: () => void permits.push('failed'), release: () => void permits.push('released') }
      },
    },
    clock,
    random: systemRandom,
  })
})

const tooMany = (retryAfter: number) => expect.objectContaining({ code: 'too-many-attempts', retryAfter })

describe('[KEY-6] a display', () => {
  test('gets an id, of which only the hash is kept, and a code for ten minutes', async () => {
    const started = await pairings.start('192.0.2.7', `${'a'.repeat(255)}\u{1f3e0}`)
    expect(started).toEqual({
      id: expect.stringMatching(/^[\w-]{43}$/),
      code: expect.stringMatching(/^\w{8}$/),
      expiresAt: clock.now() + 600_000,
    })
    const { id, code, expiresAt } = started
    const userAgent = `${'a'.repeat(255)}\ufffd`
    const pairing = {
      idHash: hashOfSecret(id),
      code,
      address: '192.0.2.7',
      userAgent,
      createdAt: clock.now(),
      expiresAt,
    }
    expect(added).toEqual([[pairing, 1000]])
  })

  test('gets another code if the first one is taken', async () => {
    answers = ['code-taken', 'code-taken']
    const { code } = await pairings.start('192.0.2.7', '')
    expect(new Set(added.map(([pairing]) => pairing.code)).size).toBe(3)
    expect(added.at(-1)?.[0].code).toBe(code)
  })

  test('waits while too many others do', async () => {
    answers = ['full']
    const busy = { code: 'busy', reason: 'too-many-pairings', retryAfter: 60 }
    await expect(pairings.start('192.0.2.7', '')).rejects.toMatchObject(busy)
    expect(added).toHaveLength(1)
  })

  test('starts twenty times at once, and then every half minute; another network is not concerned', async () => {
    for (let nth = 0; nth < 20; nth += 1) await pairings.start('2001:db8::1', '')
    await expect(pairings.start('2001:db8::2', '')).rejects.toEqual(tooMany(30))
    await pairings.start('2001:db8:0:1::1', '')
    await clock.advance(30_000)
    await pairings.start('2001:db8::2', '')
    await expect(pairings.start('2001:db8::1', '')).rejects.toEqual(tooMany(30))
  })

  test('asks two hundred times at once, and then ten times a second', async () => {
    for (let nth = 0; nth < 200; nth += 1) expect(await pairings.poll('x', '192.0.2.7', entry)).toBe('waiting')
    await expect(pairings.poll('x', '192.0.2.7', entry)).rejects.toEqual(tooMany(1))
    expect(await pairings.poll('x', '192.0.2.8', entry)).toBe('waiting')
    await clock.advance(100)
    expect(await pairings.poll('x', '192.0.2.7', entry)).toBe('waiting')
  })

  test('gets a secret that is made for it, and of which only the hash is kept', async () => {
    picked = { screen: 's1' }
    const result = await pairings.poll('id', '192.0.2.7', entry)
    expect(result).toEqual({ id: 's1', proof: expect.stringMatching(/^[\w-]{43}$/) })
    const secretHash = typeof result === 'object' ? hashOfSecret(result.proof) : ''
    expect(pickUps).toEqual([[hashOfSecret('id'), { secretHash, address: '192.0.2.7', at: clock.now(), entry }]])
  })

  test('learns that its pairing is over', async () => {
    picked = 'over'
    await expect(pairings.poll('id', '192.0.2.7', entry)).rejects.toMatchObject({
      code: 'gone',
      reason: 'pairing-over',
    })
  })
})

describe('[KEY-6] an admin', () => {
  const wrong = { code: 'not-found', reason: 'wrong-pairing-code' }
  const counted = ['192.0.2.1', 'failed', 'released']

  test('does something with the display that waits with a code', async () => {
    const result = await pairings.withCode('acde 3467', '192.0.2.1', async (pairing) => pairing)
    expect([result, permits]).toEqual([waits, ['192.0.2.1', 'released']])
  })

  test.each(['ACDE3466', 'no code'])('whose code is %s has failed to sign in', async (typed) => {
    let isCalled = false
    const work = async () => void (isCalled = true)
    await expect(pairings.withCode(typed, '192.0.2.1', work)).rejects.toMatchObject(wrong)
    expect([isCalled, permits]).toEqual([false, counted])
  })

  test('whose code was used in the meantime has failed to sign in', async () => {
    await expect(pairings.withCode(waits.code, '192.0.2.1', async () => 'absent')).rejects.toMatchObject(wrong)
    expect(permits).toEqual(counted)
  })

  test('has not failed if something else does', async () => {
    const failed = pairings.withCode(waits.code, '192.0.2.1', () => Promise.reject(new Error('no database')))
    await expect(failed).rejects.toThrow('no database')
    expect(permits).toEqual(['192.0.2.1', 'released'])
  })
})
