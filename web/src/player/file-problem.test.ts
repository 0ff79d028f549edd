import { expect, test } from 'vitest'
import { fileProblem, type FileProblem } from './file-problem.ts'

test.each<[string, number, boolean, FileProblem]>([
  ['no response', 0, false, 'lost'],
  ['no response during playback', 0, true, 'lost'],
  ['a service that restarts', 503, false, 'lost'],
  ['a proxy without its service', 502, true, 'lost'],
  ['too many requests', 429, false, 'lost'],
  ['a deleted file', 404, false, 'gone'],
  ['a file deleted during playback', 404, true, 'gone'],
  ['a link that ended', 410, true, 'gone'],
  ['a lost permission', 403, true, 'gone'],
  ['a connection that failed and is back', 200, true, 'lost'],
  ['a file that is there', 200, false, 'unsupported'],
])('the problem of a video with %s', (_, status, interrupted, problem) =>
  expect(fileProblem(status, interrupted)).toBe(problem),
)
