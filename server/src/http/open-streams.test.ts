import { expect, onTestFinished, test } from 'vitest'
import { silent } from '../../test/silent.ts'
import type { Decision } from '../access/decide.ts'
import { stranger, type Identity } from '../access/identity.ts'
import type { Standing } from '../access/standing.ts'
import { systemClock } from '../shared/clock.ts'
import { createOpenStreams, type EndReason } from './open-streams.ts'

const ann: Identity = { kind: 'known', source: 'password', name: 'ann', key: 'ann', role: 'viewer', session: undefined }

function opened(again: () => Standing, decide: (identity: Identity) => Decision) {
  const streams = createOpenStreams({ clock: systemClock, log: silent })
  onTestFinished(() => streams.stop())
  const ends: EndReason[] = []
  streams.hold({ standing: { identity: ann, again }, decideAgain: decide, end: (why) => void ends.push(why) })
  return { streams, ends }
}

const signedIn = ({ kind }: Identity): Decision => (kind === 'known' ? 'allow' : 'sign-in')

test('[ROLE-10] what changed while an answer was made ready ends it before it begins', async () => {
  const { ends, streams } = opened(() => ({ identity: stranger, again: () => expect.unreachable() }), signedIn)
  await new Promise(setImmediate)
  expect(ends).toEqual(['sign-in'])
  expect(streams.count).toBe(0)
})

test('[ROLE-10] a role that was changed meanwhile, too', async () => {
  const { ends } = opened(
    () => ({ identity: ann, again: () => expect.unreachable() }),
    () => 'forbid',
  )
  await new Promise(setImmediate)
  expect(ends).toEqual(['forbid'])
})

test('[ROLE-10] a stream of whom nothing changed stays', async () => {
  const { ends, streams } = opened(() => ({ identity: ann, again: () => expect.unreachable() }), signedIn)
  await new Promise(setImmediate)
  expect([ends, streams.count]).toEqual([[], 1])
})
