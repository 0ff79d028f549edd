import { describe, expect, test } from 'vitest'
import { serviceItself, type Requester } from '../../shared/requester.ts'
import { decodingToDrop, nextDecoding } from './decoding-order.ts'

const of = (id: string, ...requesters: Requester[]) => ({ id, requesters })
const [ann, bob, eve]: Requester[] = [['ann'], ['bob'], ['eve']]
/** Two that belong to one user. */
const [page, token]: Requester[] = [
  ['ann', 'page'],
  ['ann', 'token'],
]

describe('the next decoding', () => {
  test.each<[what: string, waiting: ReturnType<typeof of>[], served: [string, number][], next: string | undefined]>([
    ['none waits', [], [], undefined],
    ['the oldest of a requester', [of('1', ann!), of('2', ann!)], [['ann', 1]], '1'],
    ['a requester never served', [of('1', ann!), of('2', bob!)], [['ann', 1]], '2'],
    [
      'the requester served least recently',
      [of('1', ann!), of('2', bob!), of('3', eve!)],
      [
        ['ann', 5],
        ['bob', 3],
        ['eve', 4],
      ],
      '2',
    ],
    [
      'several wait for it, and one of them was served least recently',
      [of('1', ann!), of('2', ann!, bob!)],
      [['ann', 1]],
      '2',
    ],
    [
      'of one user, what was served least recently',
      [of('1', page!), of('2', token!)],
      [
        ['ann', 2],
        ['page', 2],
        ['token', 1],
      ],
      '2',
    ],
    [
      'another user, before what of one user was never served',
      [of('1', token!), of('2', bob!)],
      [
        ['ann', 2],
        ['bob', 1],
      ],
      '2',
    ],
  ])('%s', (_what, waiting, served, next) => {
    expect(nextDecoding(waiting, new Map(served))?.decoding.id).toBe(next)
  })

  test('is that of the requester whose turn it is; another one that waits for it too keeps its turn', () => {
    expect(nextDecoding([of('1', ann!, bob!)], new Map([['ann', 1]]))?.requester).toBe(bob)
  })
})

describe('the decoding that is dropped', () => {
  test.each<[what: string, waiting: ReturnType<typeof of>[], dropped: string | undefined]>([
    ['none waits', [], undefined],
    ['the newest of a requester', [of('1', ann!), of('2', ann!)], '2'],
    ['of the requester with the most, not the newest', [of('1', ann!), of('2', ann!), of('3', bob!)], '2'],
    ['the newest, if several have as many', [of('1', ann!), of('2', bob!), of('3', eve!)], '3'],
    ['not one that a requester with few also waits for', [of('1', ann!), of('2', ann!, bob!)], '1'],
    ['one that several wait for, all with many', [of('1', bob!), of('2', ann!, eve!), of('3', ann!, eve!)], '3'],
    [
      'of a requester several times at one decoding, which is only one',
      [of('1', ann!, ann!, ann!), of('2', bob!), of('3', bob!)],
      '3',
    ],
    [
      'none of the service itself',
      [of('1', serviceItself), of('2', serviceItself), of('3', ann!), of('4', serviceItself)],
      '3',
    ],
    ['the newest of the service itself, if no one else waits', [of('1', serviceItself), of('2', serviceItself)], '2'],
    ['of the user with the most', [of('1', page!), of('2', token!), of('3', bob!)], '2'],
    ['of one user, that with the most', [of('1', page!), of('2', page!), of('3', token!), of('4', bob!)], '2'],
  ])('%s', (_what, waiting, dropped) => {
    expect(decodingToDrop(waiting)?.id).toBe(dropped)
  })
})
