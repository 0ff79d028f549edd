import { expect, test } from 'vitest'
import { ownerText } from '../../access/identity.ts'
import { nextJob, type QueuedJob } from './fair-order.ts'

const of = (key: string, id: string): QueuedJob => ({ id, owner: { authMethod: 'proxy', key, userId: null } })

test.each<
  [what: string, waiting: QueuedJob[], running: QueuedJob[], turns: [string, number][], next: string | undefined]
>([
  ['nothing is queued', [], [of('ada', '1')], [], undefined],
  ['the oldest job of a user', [of('ada', '1'), of('ada', '2')], [], [], '1'],
  ['a user without running jobs', [of('ada', '1'), of('bob', '2')], [of('ada', '0')], [], '2'],
  [
    'the user served least recently',
    [of('ada', '1'), of('bob', '2')],
    [],
    [
      ['proxy ada', 5],
      ['proxy bob', 3],
    ],
    '2',
  ],
  [
    'a user never served',
    [of('ada', '1'), of('bob', '2'), of('eve', '3')],
    [],
    [
      ['proxy ada', 1],
      ['proxy bob', 2],
    ],
    '3',
  ],
])('the next job: %s', (_why, waiting, running, turns, next) => {
  expect(nextJob(waiting, running, new Map(turns))?.id).toBe(next)
})

test('fifty jobs of one user delay another user by at most one job', () => {
  const turns = new Map<string, number>()
  let waiting = [...Array.from({ length: 50 }, (_, i) => of('ada', `a${i}`)), of('bob', 'b')]
  const order: string[] = []
  for (let turn = 1; waiting.length > 0; turn++) {
    const next = nextJob(waiting, [], turns)!
    turns.set(ownerText(next.owner), turn)
    order.push(next.id)
    waiting = waiting.filter((each) => each !== next)
  }
  expect(order.indexOf('b')).toBeLessThanOrEqual(1)
})

test('[PROXY-1] the proxy’s bob is another user than the database’s', () => {
  const mine: QueuedJob = { id: '2', owner: { authMethod: 'password', key: 'bob', userId: '1' } }
  expect(nextJob([mine, of('ada', '3')], [of('bob', '1')], new Map())?.id).toBe('2')
})
