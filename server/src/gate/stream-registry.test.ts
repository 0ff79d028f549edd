import { expect, onTestFinished, test } from 'vitest'
import { silent } from '../../test/support/null-log.ts'
import { createTestClock } from '../../test/support/test-clock.ts'
import type { Decision } from '../access/decide.ts'
import { unauthenticated, type Identity } from '../access/identity.ts'
import type { Authentication } from '../http/authentication.ts'
import { systemClock } from '../shared/time/clock.ts'
import type { EndReason } from '../http/response.ts'
import { createStreamRegistry } from './stream-registry.ts'

const ann: Identity = {
  kind: 'authenticated',
  authMethod: 'password',
  name: 'ann',
  key: 'ann',
  userId: '1',
  role: 'viewer',
  session: undefined,
}

function opened(again: () => Authentication, decide: (identity: Identity) => Decision) {
  const streams = createStreamRegistry({ clock: systemClock, log: silent, isListening: () => true })
  onTestFinished(() => streams.stop())
  const ends: EndReason[] = []
  streams.register({
    isCurrent: () => true,
    authentication: { identity: ann, reauthenticate: again },
    reauthorize: decide,
    end: (reason) => void ends.push(reason),
  })
  return { streams, ends }
}

const signedIn = ({ kind }: Identity): Decision => (kind === 'authenticated' ? 'allow' : 'unauthenticated')

test('[ROLE-10] a user who is signed out while a response is prepared gets no stream', async () => {
  const { ends, streams } = opened(
    () => ({ identity: unauthenticated, reauthenticate: () => expect.unreachable() }),
    signedIn,
  )
  await new Promise(setImmediate)
  expect(ends).toEqual(['unauthenticated'])
  expect(streams.count).toBe(0)
})

test('[ROLE-10] a role that changes while a response is prepared closes its stream', async () => {
  const { ends } = opened(
    () => ({ identity: ann, reauthenticate: () => expect.unreachable() }),
    () => 'forbidden',
  )
  await new Promise(setImmediate)
  expect(ends).toEqual(['forbidden'])
})

test('[ROLE-10] a stream stays open if nothing changed', async () => {
  const { ends, streams } = opened(() => ({ identity: ann, reauthenticate: () => expect.unreachable() }), signedIn)
  await new Promise(setImmediate)
  expect([ends, streams.count]).toEqual([[], 1])
})

test('[PROXY-18] a stream is closed at its deadline on a monotonic clock, even if still allowed', async () => {
  const clock = createTestClock()
  const streams = createStreamRegistry({ clock, log: silent, isListening: () => true })
  onTestFinished(() => streams.stop())
  const ends: EndReason[] = []
  const authentication: Authentication = { identity: ann, endsAt: 5000, reauthenticate: () => authentication }
  streams.register({
    isCurrent: () => true,
    authentication,
    reauthorize: signedIn,
    end: (reason) => void ends.push(reason),
  })
  await clock.advance(4999)
  expect(ends).toEqual([])
  await clock.advance(1)
  expect([ends, streams.count]).toEqual([['recheck'], 0])
})

test('[PROXY-18] [CONF-5] a shorter interval applies to streams that are already open', () => {
  let endsAt = 300_000
  const clock = { ...systemClock, elapsed: () => 20_000 }
  const streams = createStreamRegistry({ clock, log: silent, isListening: () => true })
  onTestFinished(() => streams.stop())
  const ends: EndReason[] = []
  const authentication = (): Authentication => ({ identity: ann, endsAt, reauthenticate: authentication })
  streams.register({
    isCurrent: () => true,
    authentication: authentication(),
    reauthorize: signedIn,
    end: (reason) => void ends.push(reason),
  })
  void streams.reauthorizeAll()
  expect(ends).toEqual([])
  endsAt = 10_000
  void streams.reauthorizeAll()
  expect(ends).toEqual(['recheck'])
})

test('[ROLE-10] each stream has one decision pending at a time, and a change during that decision causes another', async () => {
  const requested: PromiseWithResolvers<Authentication>[] = []
  const again = () => {
    const next = Promise.withResolvers<Authentication>()
    requested.push(next)
    return next.promise
  }
  const streams = createStreamRegistry({ clock: systemClock, log: silent, isListening: () => true })
  onTestFinished(() => streams.stop())
  const ends: EndReason[] = []
  streams.register({
    isCurrent: () => true,
    authentication: { identity: ann, reauthenticate: again },
    reauthorize: signedIn,
    end: (reason) => void ends.push(reason),
  })
  await new Promise(setImmediate)
  const rounds = [streams.reauthorizeAll(), streams.reauthorizeAll(), streams.reauthorizeAll()]
  expect(requested).toHaveLength(1)
  requested[0]?.resolve({ identity: ann, reauthenticate: again })
  await new Promise(setImmediate)
  expect([ends, requested.length]).toEqual([[], 2])
  // The result from before the change doesn't count, the later one does.
  requested[1]?.resolve({ identity: unauthenticated, reauthenticate: again })
  await Promise.all(rounds)
  expect([ends, requested.length, streams.count]).toEqual([['unauthenticated'], 2, 0])
})

/** One stream whose reauthentications the test answers. */
async function pendingStream() {
  const clock = createTestClock()
  const streams = createStreamRegistry({ clock, log: silent, isListening: () => true })
  onTestFinished(() => streams.stop())
  const requested: PromiseWithResolvers<Authentication>[] = []
  const again = () => {
    const next = Promise.withResolvers<Authentication>()
    requested.push(next)
    return next.promise
  }
  const ends: EndReason[] = []
  const release = streams.register({
    isCurrent: () => true,
    authentication: { identity: ann, reauthenticate: again },
    reauthorize: signedIn,
    end: (reason) => void ends.push(reason),
  })
  await new Promise(setImmediate)
  const answer = async (identity: Identity, at = requested.length - 1) => {
    requested[at]?.resolve({ identity, reauthenticate: again })
    await new Promise(setImmediate)
  }
  return { streams, clock, requested, ends, release, answer }
}

test('a stream that ends while it is decided stays ended, whatever the decision', async () => {
  for (const identity of [ann, unauthenticated]) {
    const { streams, ends, release, answer } = await pendingStream()
    release()
    await answer(identity)
    expect([ends, streams.count]).toEqual([[], 0])
  }
})

test('a stream that ends while it is decided is not closed when the decision fails', async () => {
  const { ends, release, requested } = await pendingStream()
  release()
  requested[0]?.reject(new Error('no database'))
  await new Promise(setImmediate)
  expect(ends).toEqual([])
})

test('[ROLE-10] a stream whose decision fails is closed', async () => {
  const { streams, ends, requested } = await pendingStream()
  requested[0]?.reject(new Error('no database'))
  await streams.reauthorizeAll()
  expect([ends, streams.count]).toEqual([['undecided'], 0])
  const { ends: atOnce } = opened(() => {
    throw new Error('no database')
  }, signedIn)
  await new Promise(setImmediate)
  expect(atOnce).toEqual(['undecided'])
})

test('a change during a decision causes one more, but none for a stream that it closed', async () => {
  const allowed = await pendingStream()
  void allowed.streams.reauthorizeAll()
  await allowed.answer(ann)
  await allowed.answer(ann)
  expect([allowed.requested.length, allowed.streams.count]).toEqual([2, 1])
  const closed = await pendingStream()
  void closed.streams.reauthorizeAll()
  await closed.answer(unauthenticated)
  expect([closed.requested.length, closed.ends]).toEqual([1, ['unauthenticated']])
})

test.each([0, 1, 2, 3, 4, 5])(
  '[ROLE-10] a change %i microtasks after the result of a decision causes another decision',
  async (ticks) => {
    const { streams, requested, ends, answer } = await pendingStream()
    void answer(ann)
    for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve()
    void streams.reauthorizeAll()
    await new Promise(setImmediate)
    await answer(unauthenticated)
    expect([requested.length, ends, streams.count]).toEqual([2, ['unauthenticated'], 0])
  },
)

test('a stream that ends at once is not decided', async () => {
  const streams = createStreamRegistry({ clock: createTestClock(), log: silent, isListening: () => true })
  let decisions = 0
  const reauthenticate = (): Authentication => {
    decisions += 1
    return { identity: ann, reauthenticate }
  }
  const authentication = { identity: ann, reauthenticate }
  streams.register({ isCurrent: () => true, authentication, reauthorize: signedIn, end: () => undefined })()
  await new Promise(setImmediate)
  expect([decisions, streams.count]).toEqual([0, 0])
})

test('[TOK-3] a stream is decided again when its session expires', async () => {
  const clock = createTestClock()
  const streams = createStreamRegistry({ clock, log: silent, isListening: () => true })
  onTestFinished(() => streams.stop())
  const until = clock.now() + 5000
  let decisions = 0
  const reauthenticate = (): Authentication => {
    decisions += 1
    return { identity: clock.now() < until ? ann : unauthenticated, until, reauthenticate }
  }
  const ends: EndReason[] = []
  const end = (reason: EndReason) => void ends.push(reason)
  streams.register({
    isCurrent: () => true,
    authentication: { identity: ann, until, reauthenticate },
    reauthorize: signedIn,
    end,
  })
  await clock.advance(4999)
  expect([decisions, ends]).toEqual([1, []])
  await clock.advance(1)
  expect([decisions, ends]).toEqual([2, ['unauthenticated']])
})

test('the streams of an owner are counted until they end', async () => {
  const streams = createStreamRegistry({ clock: createTestClock(), log: silent, isListening: () => true })
  const authentication: Authentication = { identity: ann, reauthenticate: () => authentication }
  const open = (...owners: string[]) =>
    streams.register({ isCurrent: () => true, authentication, owners, reauthorize: signedIn, end: () => undefined })
  const [one, , other] = [open('ann', 'all of ann'), open('t1', 'ann'), open('bob'), open()]
  expect([streams.count, streams.countOf('ann'), streams.countOf('bob'), streams.countOf('eve')]).toEqual([4, 2, 1, 0])
  one?.()
  one?.()
  other?.()
  expect([streams.count, streams.countOf('ann'), streams.countOf('bob')]).toEqual([2, 1, 0])
})

test('a stop ends every stream and the timers', async () => {
  const { streams, clock, ends } = await pendingStream()
  streams.stop()
  expect([ends, streams.count, clock.pending()]).toEqual([['stopping'], 0, 0])
})

const broken = () => {
  throw new Error('broken')
}

test('a stream that fails to close does not keep the others open', async () => {
  const streams = createStreamRegistry({ clock: systemClock, log: silent, isListening: () => true })
  onTestFinished(() => streams.stop())
  const ends: EndReason[] = []
  let identity: Identity = ann
  const again = (): Authentication => ({ identity, reauthenticate: again })
  streams.register({ isCurrent: () => true, authentication: again(), reauthorize: signedIn, end: broken })
  streams.register({
    isCurrent: () => true,
    authentication: again(),
    reauthorize: signedIn,
    end: (reason) => void ends.push(reason),
  })
  await new Promise(setImmediate)
  identity = unauthenticated
  await streams.reauthorizeAll()
  expect([ends, streams.count]).toEqual([['unauthenticated'], 0])
})

test('[ROLE-10] while changes of other instances are missed, every stream is decided again, one round at a time', async () => {
  const clock = createTestClock()
  let isListening = true
  const streams = createStreamRegistry({ clock, log: silent, isListening: () => isListening })
  onTestFinished(() => streams.stop())
  const answers: ((authentication: Authentication) => void)[] = []
  const authentication: Authentication = {
    identity: ann,
    reauthenticate: () => new Promise((resolve) => void answers.push(resolve)),
  }
  const ends: EndReason[] = []
  streams.register({
    isCurrent: () => true,
    authentication,
    reauthorize: signedIn,
    end: (reason) => void ends.push(reason),
  })
  await new Promise(setImmediate)
  answers.shift()?.(authentication)
  await new Promise(setImmediate)

  await clock.advance(2000)
  expect(answers).toHaveLength(0)
  isListening = false
  await clock.advance(2000)
  expect(answers).toHaveLength(1)
  answers.shift()?.(authentication)
  await new Promise(setImmediate)
  expect(answers).toHaveLength(0)
  await clock.advance(400)
  answers.shift()?.({ identity: unauthenticated, reauthenticate: () => expect.unreachable() })
  await new Promise(setImmediate)
  expect(ends).toEqual(['unauthenticated'])
})

test('[GRANT-4] a stream whose grant is no longer the same is decided again, and keeps the new one', async () => {
  const clock = createTestClock({ now: 0 })
  const streams = createStreamRegistry({ clock, log: silent, isListening: () => true })
  onTestFinished(() => streams.stop())
  const ends: EndReason[] = []
  let decided = 0
  let until = 1000
  const authentication: Authentication = { identity: ann, reauthenticate: () => authentication }
  streams.register({
    authentication,
    isCurrent: (now) => now < until,
    reauthorize: () => {
      decided += 1
      // The decision that a registration causes, then one in time, then the last.
      if (decided === 2) until = 2000
      return decided === 3 ? 'forbidden' : 'allow'
    },
    end: (reason) => void ends.push(reason),
  })
  await clock.advance(900)
  expect([decided, ends]).toEqual([1, []])
  await clock.advance(350)
  expect([decided, ends]).toEqual([2, []])
  await clock.advance(700)
  expect([decided, ends]).toEqual([2, []])
  await clock.advance(300)
  expect([decided, ends]).toEqual([3, ['forbidden']])
})
