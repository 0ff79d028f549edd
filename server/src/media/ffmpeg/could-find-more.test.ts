import { expect, test } from 'vitest'
import { couldFindMore } from './could-find-more.ts'
import { streamProblem } from './reason.ts'

const quick = { isQuick: true, problem: () => undefined }
const failed = { signal: undefined, lines: ['Output file does not contain any stream'] }

test('a child that found no video in a quick analysis could find more in a longer one', () => {
  expect(couldFindMore(quick, failed)).toBe(true)
  expect(couldFindMore(quick, { ...failed, lines: [] })).toBe(true)
})

test.each([
  ['the analysis was thorough', { ...quick, isQuick: false }, failed],
  ['the problem of the connection is known', { ...quick, problem: () => streamProblem('other-host') }, failed],
  ['a signal ended it', quick, { ...failed, signal: 'SIGKILL' as const }],
  ['it never started', quick, { ...failed, lines: ['spawn ENOMEM', 'ffmpeg could not be started'] }],
  ['the disk is full', quick, { ...failed, lines: ['Error writing trailer: No space left on device'] }],
])('it could not if %s', (_why, input, ended) => {
  expect(couldFindMore(input, ended)).toBe(false)
})
