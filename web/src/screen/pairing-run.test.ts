import { expect, test } from 'vitest'
import { runPairing, type PairingState } from './pairing-run.ts'

type Poll = 'waiting' | 'paired' | 'over' | 'fails'

/** The states that a display goes through, until it is paired or the replies end. */
async function statesOf(starts: readonly (string | undefined)[], polls: readonly Poll[]): Promise<PairingState[]> {
  const states: PairingState[] = []
  const leave = new AbortController()
  const [codes, replies] = [[...starts], [...polls]]
  await runPairing({
    start: async () => {
      const code = codes.shift()
      if (code === undefined) throw new Error('no service')
      return { id: `id of ${code}`, code, expiresAt: 600_000 }
    },
    poll: async () => {
      const reply = replies.shift()
      if (replies.length === 0 && reply !== 'paired') leave.abort()
      if (reply === undefined || reply === 'fails') throw new Error('no service')
      return reply
    },
    pause: async () => undefined,
    onState: (state) => states.push(state),
    signal: leave.signal,
  })
  return states
}

const waiting = (code: string) => ({ kind: 'waiting', code, expiresAt: 600_000 })
const failed = { kind: 'failed', error: new Error('no service') }
const paired = { kind: 'paired' }

test.each<[what: string, starts: readonly (string | undefined)[], polls: readonly Poll[], states: readonly object[]]>([
  ['confirmed', ['A'], ['waiting', 'paired'], [waiting('A'), paired]],
  ['confirmed at once', ['A'], ['paired'], [waiting('A'), paired]],
  ['over', ['A', 'B'], ['waiting', 'over', 'paired'], [waiting('A'), waiting('B'), paired]],
  ['kept while the service is unavailable', ['A'], ['fails', 'fails', 'paired'], [waiting('A'), paired]],
  ['got once the service is back', [undefined, 'A'], ['paired'], [failed, waiting('A'), paired]],
  ['left', ['A'], ['waiting', 'waiting'], [waiting('A')]],
])('a code that is %s', async (_what, starts, polls, states) => {
  expect(await statesOf(starts, polls)).toEqual(states)
})
