import { expect, test } from 'vitest'
import { afterWork, isUnsaved, shownCheck, workOn, type ConfigWork, type ConfigWorkEvent } from './config-work.ts'

const file = { text: 'a: 1', etag: '"1"', crlf: false }
const theirs = { text: 'a: 2', etag: '"2"', crlf: false }
const same = { text: 'a: 1', etag: '"2"', crlf: false }
const fresh = workOn(file)
const typed = afterWork(fresh, { type: 'type', text: 'a: 3' })

test.each<[what: string, work: ConfigWork, event: ConfigWorkEvent, expected: Partial<ConfigWork>]>([
  ['typing keeps the editor', fresh, { type: 'type', text: 'a: 3' }, { text: 'a: 3', base: file, round: 0 }],
  [
    'without changes, the editor follows the file',
    fresh,
    { type: 'file', file: theirs },
    { text: 'a: 2', base: theirs, round: 1, followed: true },
  ],
  ['unsaved changes are left alone', typed, { type: 'file', file: theirs }, typed],
  [
    'a new version of the same text keeps the editor',
    fresh,
    { type: 'file', file: same },
    { base: same, round: 0, followed: false },
  ],
  [
    'the same text by someone else leaves nothing to save',
    typed,
    { type: 'file', file: { text: 'a: 3', etag: '"2"', crlf: false } },
    { text: 'a: 3', base: { text: 'a: 3', etag: '"2"', crlf: false }, round: 0 },
  ],
  [
    'starting over mounts a new editor',
    typed,
    { type: 'start', file: theirs, text: 'a: 4' },
    { text: 'a: 4', first: 'a: 4', base: theirs, round: 1, followed: false },
  ],
  [
    'a saved text is the base',
    typed,
    { type: 'saved', text: 'a: 3' },
    { text: 'a: 3', base: { ...file, text: 'a: 3' } },
  ],
  [
    'what was typed while saving stays',
    afterWork(typed, { type: 'type', text: 'a: 33' }),
    { type: 'saved', text: 'a: 3' },
    { text: 'a: 33', base: { ...file, text: 'a: 3' } },
  ],
  [
    'after saving, the file is the base',
    typed,
    { type: 'read', file: { text: 'a: 3', etag: '"3"', crlf: false }, text: 'a: 3' },
    { base: { text: 'a: 3', etag: '"3"', crlf: false } },
  ],
  [
    'a file that someone else has saved right after is not',
    typed,
    { type: 'read', file: theirs, text: 'a: 3' },
    { base: file },
  ],
])('%s', (_what, work, event, expected) => {
  expect(afterWork(work, event)).toMatchObject(expected)
})

test('there is something to save if the text differs from its base', () => {
  expect([fresh, typed].map(isUnsaved)).toEqual([false, true])
})

test.each([
  ['a new installation’s file, which has only comments, has no problem', '# new', '# new', []],
  ['a text without keys that is to be saved has one', '# changed', '# new', ['no-keys']],
])('[CONF-4] %s', (_what, text, saved, expected) => {
  const check = { problems: [{ field: '', code: 'no-keys', message: '' } as const], warnings: [] }
  expect(shownCheck(check, text, saved).problems.map(({ code }) => code)).toEqual(expected)
})
