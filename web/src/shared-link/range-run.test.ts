import { expect, test } from 'vitest'
import { afterRangeEvent, runOf, type RangeEvent, type RangeRun } from './range-run.ts'

const range = { start: 1000, end: 1060 }
const begun = runOf(range)
const over: RangeRun = { ...begun, playing: false, over: true, at: 1060 }

test.each<[what: string, run: RangeRun, event: RangeEvent, after: Partial<RangeRun>]>([
  ['pause', begun, { type: 'toggle' }, { playing: false }],
  ['play', { ...begun, playing: false }, { type: 'toggle' }, { playing: true }],
  ['play after the end begins again', over, { type: 'toggle' }, { playing: true, over: false, place: { at: 1000 } }],
  ['a seek', begun, { type: 'seek', at: 1030 }, { place: { at: 1030 }, at: 1030, playing: true }],
  ['a seek before the start', begun, { type: 'seek', at: 0 }, { place: { at: 1000 } }],
  ['a seek beyond the end', begun, { type: 'seek', at: 5000 }, { place: { at: 1060 } }],
  ['a seek after the end stays paused', over, { type: 'seek', at: 1010 }, { playing: false, over: false }],
  ['a frame', begun, { type: 'time', at: 1004.5 }, { at: 1004.5, place: begun.place }],
  ['the end', begun, { type: 'end' }, { playing: false, over: true, at: 1060 }],
])('%s', (_, run, event, after) => expect(afterRangeEvent(run, event, range)).toMatchObject(after))
