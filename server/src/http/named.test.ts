import { describe, expect, test } from 'vitest'
import type { AccessRule } from '../access/rule.ts'
import { isDecidedByBody, namedBy, type Asked } from './named.ts'

const exists = (name: string): boolean => ['yard', 'door'].includes(name)
const inQuery: AccessRule = { cameras: 'recordings.watch', asked: { of: 'query', name: 'cameras' } }
const ofThing = new Map([['a', 'yard'], ['b', 'gone']]) // prettier-ignore
const inBody: AccessRule = {
  cameras: 'recordings.watch',
  asked: { of: 'body', name: 'filter.cameras' },
  things: { name: 'ids', find: async (ids) => ids.map((id) => ofThing.get(id)) },
}

const request = (more: Partial<Asked>): Asked => ({ params: {}, query: {}, ...more })

describe('[ROLE-4] [ROLE-5] what a request asks for by name is all of it looked at', () => {
  test.each<[unknown, unknown]>([
    [undefined, undefined],
    ['yard', ['yard']],
    ['yard,door', ['yard', 'door']],
    ['yard,office', ['yard', undefined]],
    ['', [undefined]],
    ['yard,', ['yard', undefined]],
    ['yard, door', ['yard', undefined]],
    [
      ['yard', 'door'],
      ['yard', 'door'],
    ],
    [{ yard: 1 }, [undefined]],
  ])('a query with %j', async (cameras, asked) => {
    const query = cameras === undefined ? {} : { cameras }
    expect((await namedBy(inQuery, request({ query }), exists)).asked).toEqual(asked)
  })

  test.each<[unknown, unknown]>([
    [undefined, undefined],
    [{}, undefined],
    [{ filter: {} }, undefined],
    [{ filter: { cameras: ['yard'] } }, ['yard']],
    [{ filter: { cameras: ['yard', 'office', 7] } }, ['yard', undefined, undefined]],
    [{ filter: { cameras: 'yard' } }, [undefined]],
    [{ ids: [] }, []],
    [{ ids: ['a'] }, ['yard']],
    [{ ids: ['a', 'b', 'c'] }, ['yard', undefined, undefined]],
    [{ ids: 'a' }, [undefined]],
    [{ ids: ['a', 7] }, [undefined]],
    [{ filter: { cameras: ['door'] }, ids: ['a'] }, ['door', 'yard']],
    ['text', undefined],
    [['a'], undefined],
  ])('a body of %j', async (body, asked) => {
    expect((await namedBy(inBody, request({ body }), exists)).asked).toEqual(asked)
  })

  test('what stands in a body is decided once it is read', () => {
    expect([inQuery, inBody, { cameras: 'cameras.watch' } as const].map(isDecidedByBody)).toEqual([false, true, false])
  })
})
