import { expect, test } from 'vitest'
import { begin, withoutMask } from './mask/drawing.ts'
import { afterEdit, editedSettings, editOf, isChanged, type MotionEdit, type MotionEditEvent } from './motion-edit.ts'
import type { MotionSettings, Point } from './motion-settings.ts'

const triangle: readonly Point[] = [
  [0, 0],
  [0.5, 0],
  [0, 0.5],
]
const square: readonly Point[] = [
  [0.5, 0.5],
  [1, 0.5],
  [1, 1],
  [0.5, 1],
]
const was: MotionSettings = { enabled: true, sensitivity: 'medium', masks: [triangle] }
const theirs: MotionSettings = { enabled: true, sensitivity: 'medium', masks: [square, triangle] }
const fresh = editOf(was)
const high = afterEdit(fresh, { type: 'detection', change: { sensitivity: 'high' } })
const drawing = afterEdit(fresh, { type: 'draw', step: begin })

test.each<[what: string, edit: MotionEdit, changed: boolean]>([
  ['a fresh edit', fresh, false],
  ['another sensitivity', high, true],
  ['a mask being drawn', drawing, true],
  ['a deleted mask', afterEdit(fresh, { type: 'draw', step: (now) => withoutMask(now, 0) }), true],
  ['a change that was changed back', afterEdit(high, { type: 'detection', change: { sensitivity: 'medium' } }), false],
])('%s: whether there are changes', (_what, edit, changed) => {
  expect(isChanged(edit)).toBe(changed)
})

const saved = { ...was, sensitivity: 'high' } as const

test.each<[what: string, edit: MotionEdit, event: MotionEditEvent, base: MotionSettings, mine: MotionSettings]>([
  ['saved: nothing is left to save', high, { type: 'saved', settings: saved }, saved, saved],
  ['without changes, the active settings are followed', fresh, { type: 'active', settings: theirs }, theirs, theirs],
  ['changes are left alone', high, { type: 'active', settings: theirs }, was, { ...was, sensitivity: 'high' }],
  ['a mask being drawn is left alone', drawing, { type: 'active', settings: theirs }, was, was],
  ['the same changes by someone else', high, { type: 'active', settings: saved }, saved, saved],
  ['discarded', high, { type: 'discard', settings: theirs }, theirs, theirs],
  ['kept over others', high, { type: 'keep', settings: theirs }, theirs, { ...was, sensitivity: 'high' }],
])('%s', (_what, edit, event, base, mine) => {
  const next = afterEdit(edit, event)
  expect(next.base).toEqual(base)
  expect(editedSettings(next)).toEqual(mine)
})

test("a kept mask takes its index in the other's file as id", () => {
  expect(afterEdit(high, { type: 'keep', settings: theirs }).drawing.masks).toEqual([{ id: 1, points: triangle }])
})
