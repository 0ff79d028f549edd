import { expect, test } from 'vitest'
import type { StoredExport } from '../export-store.ts'
import {
  emptyQueue,
  progressOf,
  promisedBytes,
  step,
  type JobQueueEffect,
  type JobQueueEvent,
  type JobQueueState,
} from './job-queue-state.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

/** @param name the owner, and a number */
const job = (name: string): StoredExport => ({
  id: name,
  camera: cameraKey('yard'),
  name: '',
  start: 0,
  end: 1000,
  expected: 1000,
  promised: 100,
  createdAt: 0,
  owner: { authMethod: 'password', key: name[0]!, userId: name[0]! },
  createdBy: name[0]!,
  tries: 0,
  state: 'queued',
  volume: 'own',
})

const polled = (...names: string[]): JobQueueEvent => ({ kind: 'polled', unfinished: names.map(job) })
const readBegan: JobQueueEvent = { kind: 'read-began' }
const read = (...ids: string[]): JobQueueEvent => ({ kind: 'queue-read', ids })
const expected = (id: string, bytes: number | undefined): JobQueueEvent => ({ kind: 'bytes-expected', id, bytes })
const progressed = (id: string, percent: number): JobQueueEvent => ({ kind: 'progressed', id, percent })
const ended = (id: string): JobQueueEvent => ({ kind: 'job-ended', id, retry: undefined })
const requeued = (id: string): JobQueueEvent => ({ kind: 'job-ended', id, retry: 2000 })
const canceled = (id: string): JobQueueEvent => ({ kind: 'canceled', id })
const removed = (id: string): JobQueueEvent => ({ kind: 'released', id, removed: true })
const released = (id: string): JobQueueEvent => ({ kind: 'released', id, removed: false })
const stopped: JobQueueEvent = { kind: 'stopped' }

type Story = readonly (JobQueueEvent | number)[]

/** The state after all events, and the effects of the last. A number lets that many milliseconds pass. */
function after(story: Story): { state: JobQueueState; effects: readonly JobQueueEffect[] } {
  let now = 1000
  let result: { state: JobQueueState; effects: readonly JobQueueEffect[] } = { state: emptyQueue, effects: [] }
  for (const each of story) {
    if (typeof each === 'number') now += each
    else result = step(result.state, each, now)
  }
  return result
}

function brief(effect: JobQueueEffect): string {
  switch (effect.kind) {
    case 'begin':
      return `begin ${effect.job.id}`
    case 'interrupt':
      return `interrupt ${effect.id}`
    case 'publish-progress':
      return `${effect.job.id} at ${effect.percent} %`
  }
}

test.each<[what: string, story: Story, running: string[], effects: string[]]>([
  ['an empty queue', [polled()], [], []],
  ['one export', [polled('a1')], ['a1'], ['begin a1']],
  ['two at most', [polled('a1', 'a2', 'a3')], ['a1', 'a2'], ['begin a1', 'begin a2']],
  ['of two users', [polled('a1', 'a2', 'b1')], ['a1', 'b1'], ['begin a1', 'begin b1']],
  ['those that run do not begin again', [polled('a1'), polled('a1')], ['a1'], []],
  [
    'the next begins when one ends',
    [polled('a1', 'a2', 'a3'), ended('a1'), polled('a2', 'a3')],
    ['a2', 'a3'],
    ['begin a3'],
  ],
  [
    'of the user who was served least recently',
    [polled('a1', 'b1'), ended('a1'), ended('b1'), polled('c1'), ended('c1'), polled('b2', 'c2', 'a2')],
    ['a2', 'b2'],
    ['begin a2', 'begin b2'],
  ],
  ['the queue is read: nothing begins', [read('a1')], [], []],

  ['what could not begin waits', [polled('a1'), requeued('a1'), polled('a1')], [], []],
  ['others do not', [polled('a1'), requeued('a1'), polled('a1', 'a2')], ['a2'], ['begin a2']],
  ['for a while', [polled('a1'), requeued('a1'), 1999, polled('a1')], [], []],
  ['and begins then', [polled('a1'), requeued('a1'), 2000, readBegan, polled('a1')], ['a1'], ['begin a1']],

  [
    'what ends after the read began is not begun by it',
    [polled('a1'), readBegan, ended('a1'), read('a1'), polled('a1')],
    [],
    [],
  ],
  [
    'nor what ends after it was read; others are',
    [polled('a1'), readBegan, read('a1', 'a2'), ended('a1'), polled('a1', 'a2')],
    ['a2'],
    ['begin a2'],
  ],
  [
    'it begins with the next read',
    [polled('a1'), readBegan, ended('a1'), polled('a1'), readBegan, polled('a1')],
    ['a1'],
    ['begin a1'],
  ],

  ['a running export is canceled', [polled('a1'), canceled('a1')], ['a1'], ['interrupt a1']],
  ['a queued one', [canceled('a1')], [], []],
  ['it does not begin while it is being canceled', [canceled('a1'), polled('a1')], [], []],
  ['also if it ran', [polled('a1'), canceled('a1'), ended('a1'), polled('a1')], [], []],
  ['it begins again if it could not be canceled', [canceled('a1'), released('a1'), polled('a1')], ['a1'], ['begin a1']],

  ['progress', [polled('a1'), 500, progressed('a1', 7)], ['a1'], ['a1 at 7 %']],
  ['the same progress', [polled('a1'), 500, progressed('a1', 7), 500, progressed('a1', 7)], ['a1'], []],
  ['progress too soon after the last', [polled('a1'), progressed('a1', 7), 499, progressed('a1', 8)], ['a1'], []],
  ['later', [polled('a1'), progressed('a1', 7), 500, progressed('a1', 8)], ['a1'], ['a1 at 8 %']],
  [
    'half a second after the last that was published',
    [polled('a1'), progressed('a1', 7), 300, progressed('a1', 8), 300, progressed('a1', 9)],
    ['a1'],
    ['a1 at 9 %'],
  ],
  ['progress of an export that has ended', [polled('a1'), ended('a1'), progressed('a1', 9)], [], []],

  ['the service stops', [polled('a1', 'b1'), stopped], ['a1', 'b1'], ['interrupt a1', 'interrupt b1']],
  ['nothing begins after that', [stopped, polled('a1')], [], []],
])('%s', (_what, story, running, effects) => {
  const { state, effects: made } = after(story)
  expect(made.map(brief)).toEqual(effects)
  expect([...state.running.keys()].sort()).toEqual(running)
})

test.each<[what: string, story: Story, all: number, running: number]>([
  ['nothing', [], 0, 0],
  ['a queued export', [expected('a1', 100)], 100, 0],
  ['a running one', [expected('a1', 100), polled('a1')], 100, 100],
  ['what it has written does not count', [expected('a1', 100), polled('a1'), progressed('a1', 40)], 60, 60],
  [
    'nor while it is not published',
    [expected('a1', 100), polled('a1'), progressed('a1', 1), progressed('a1', 40)],
    60,
    60,
  ],
  ['it went back to the queue', [expected('a1', 100), polled('a1'), progressed('a1', 40), requeued('a1')], 100, 0],
  ['it is estimated again', [expected('a1', 100), polled('a1'), expected('a1', undefined)], 0, 0],
  ['more than expected', [expected('a1', 100), polled('a1'), expected('a1', 150)], 150, 150],
  ['several', [expected('a1', 100), expected('a2', 10), polled('a1')], 110, 100],
  ['one that is no longer queued', [expected('a1', 100), expected('a2', 10), read('a2')], 10, 0],
  ['one that was canceled', [expected('a1', 100), canceled('a1'), removed('a1')], 0, 0],
  ['one that could not be canceled', [expected('a1', 100), canceled('a1'), released('a1')], 100, 0],
])('bytes that exports will still write: %s', (_what, story, all, running) => {
  const { state } = after(story)
  expect([promisedBytes(state, 'all'), promisedBytes(state, 'running')]).toEqual([all, running])
})

test('progress of any export', () => {
  const { state } = after([polled('a1', 'b1'), progressed('a1', 40)])
  expect(['a1', 'b1', 'c1'].map((id) => progressOf(state, id))).toEqual([40, 0, 0])
  expect(progressOf(after([polled('a1'), progressed('a1', 40), ended('a1')]).state, 'a1')).toBe(0)
})
