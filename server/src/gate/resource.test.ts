import { describe, expect, test } from 'vitest'
import type { AccessRule } from '../access/rule.ts'
import { isDecidedByBody, resolveResource, type RequestInput } from './resource.ts'

const exists = (name: string): boolean => ['yard', 'door'].includes(name)
const inQuery: AccessRule = { cameras: 'recordings.watch', requested: { of: 'query', name: 'cameras' } }
const ofThing = new Map([['a', 'yard'], ['b', 'gone']]) // prettier-ignore
const inBody: AccessRule = {
  cameras: 'recordings.watch',
  requested: { of: 'body', name: 'filter.cameras' },
  things: { name: 'ids', find: async (ids) => ids.map((id) => ofThing.get(id)) },
}

const request = (more: Partial<RequestInput>): RequestInput => ({ params: {}, query: {}, ...more })

describe('[ROLE-4] [ROLE-5] every camera a request names is checked', () => {
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
  ])('a query with %j', async (cameras, requested) => {
    const query = cameras === undefined ? {} : { cameras }
    expect((await resolveResource(inQuery, request({ query }), exists)).requested).toEqual(requested)
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
  ])('a body of %j', async (body, requested) => {
    expect((await resolveResource(inBody, request({ body }), exists)).requested).toEqual(requested)
  })

  test('a rule about a body is decided after the body is read', () => {
    expect([inQuery, inBody, { cameras: 'cameras.watch' } as const].map(isDecidedByBody)).toEqual([false, true, false])
  })
})
