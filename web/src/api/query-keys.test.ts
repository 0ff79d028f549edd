import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { queryKeys } from './query-keys.ts'

const { cameras, recordings, review, exports, sessions, users, roles } = queryKeys

/** Every key that contains no name. */
const fixed = (of: object): readonly (readonly unknown[])[] =>
  Object.values(of).flatMap((each: unknown) =>
    Array.isArray(each) ? [each] : typeof each === 'object' && each !== null ? fixed(each) : [],
  )

test.each(['list', 'one', 'states', 'mine', 'of', 'timeline', 'summary', 'deletion', 'recent', 'all'])(
  'a camera, a user, a role and a filter can be named “%s”',
  (name) => {
    const named = [
      cameras.one(name),
      recordings.timeline(name, 0),
      recordings.summary(name, 0),
      review.list({ camera: name }),
      review.item(name),
      exports.list(name),
      exports.one(name),
      sessions.of(name),
      users.one(name),
      users.list({ search: name }),
      roles.deletion(name),
    ]
    const all = [...named, ...fixed(queryKeys)].map((key) => JSON.stringify(key))
    expect(new Set(all).size).toBe(all.length)
  },
)

test('the exports of all cameras and of one camera have different keys', () => {
  expect(exports.list(null)).not.toEqual(exports.list(''))
})

test('keys are only created in query-keys.ts, and nothing refetches everything', () => {
  const root = resolve(import.meta.dirname, '..')
  const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter((file) => !/query-keys\.(?:test\.)?ts$/.test(file))
  expect(files.length).toBeGreaterThan(100)
  const wrong = files.filter((file) =>
    /(?:queryKey: |Data(?:<[^()]*>)?\()\[['.]|(?:invalidate|refetch|reset|remove)Queries\(\s*\)/.test(
      readFileSync(resolve(root, file), 'utf8'),
    ),
  )
  expect(wrong).toEqual([])
})
