import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bodiesIn,
  bodyAt,
  bodyIn,
  boxesIn,
  endOf,
  findBox,
  Fmp4Error,
  hasBox,
  headerSize,
  lettersOf,
  makeBox,
  makeFullBox,
  typeAt,
  typeOf,
  words,
} from './box.ts'

interface Tree {
  readonly type: string
  readonly inside: readonly Tree[] | Uint8Array
}

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.record({
    type: fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 4, maxLength: 4 }),
    inside: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.uint8Array({ maxLength: 20 }),
      fc.array(tie('tree'), { maxLength: 4 }),
    ),
  }),
}))

const isList = (inside: Tree['inside']): inside is readonly Tree[] => Array.isArray(inside)

const made = ({ type, inside }: Tree): Buffer =>
  makeBox(type, ...(isList(inside) ? inside.map(made) : [Buffer.from(inside)]))

/** Walks the boxes between two positions and compares each with the tree that it was made of. */
function compare(data: Buffer, from: number, to: number, trees: readonly Tree[]): void {
  let at = from
  for (const { type, inside } of trees) {
    expect(hasBox(at, to)).toBe(true)
    expect(typeAt(data, at)).toBe(typeOf(type))
    const end = endOf(data, at, to)
    if (isList(inside)) compare(data, at + headerSize, end, inside)
    else expect([...data.subarray(at + headerSize, end)]).toEqual([...inside])
    at = end
  }
  expect(at).toBe(to)
}

test('written boxes are read unchanged, at any depth', () => {
  fc.assert(
    fc.property(fc.array(tree, { maxLength: 5 }), (trees) => {
      const data = Buffer.concat(trees.map(made))
      compare(data, 0, data.length, trees)
    }),
  )
})

test('all ways of finding a box agree', () => {
  fc.assert(
    fc.property(fc.array(tree, { maxLength: 8 }), fc.constantFrom('aaaa', 'abca', 'bbbb'), (trees, type) => {
      const data = Buffer.concat(trees.map(made))
      const expected = trees.filter((each) => each.type === type).map((each) => made(each).subarray(headerSize))
      expect(bodiesIn(data, type)).toEqual(expected)
      expect(bodyIn(data, type)).toEqual(expected[0])
      const at = findBox(data, typeOf(type), 0, data.length)
      expect(at < 0).toBe(expected.length === 0)
      if (at >= 0) expect(data.subarray(at + headerSize, endOf(data, at, data.length))).toEqual(expected[0])
    }),
  )
})

test('a path leads through boxes of the same type only by the first of them', () => {
  const data = Buffer.concat([makeBox('moov', makeBox('mvhd')), makeBox('moov', makeBox('trak', words(7)))])
  expect(bodyIn(data, 'moov', 'trak')).toBeUndefined()
  expect(bodyIn(data.subarray(16), 'moov', 'trak')).toEqual(words(7))
})

test('garbage is read to its end, or rejected', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      try {
        bodiesIn(Buffer.from(bytes), 'moov')
      } catch (error) {
        expect(error).toBeInstanceOf(Fmp4Error)
      }
    }),
  )
})

describe('a box that ends outside its parent', () => {
  test.each([
    ['with size 0', 0],
    ['with a size below its header', 7],
    ['with the mark of a size of 64 bits', 1],
    ['longer than the parent', 17],
    ['of 4 GB', 0xffff_ffff],
  ])('%s', (_how, size) => {
    const data = makeBox('free', words(1, 2))
    data.writeUInt32BE(size, 0)
    expect(() => endOf(data, 0, data.length)).toThrow(Fmp4Error)
    expect(() => findBox(data, typeOf('moov'), 0, data.length)).toThrow(Fmp4Error)
    expect(() => bodyIn(data, 'moov')).toThrow(Fmp4Error)
  })

  test('although the buffer continues', () => {
    const data = Buffer.concat([makeBox('free', words(1)), makeBox('free')])
    expect(endOf(data, 0, 12)).toBe(12)
    expect(() => endOf(data, 0, 11)).toThrow(Fmp4Error)
  })
})

test.each([
  ['there', 8, 8],
  ['too short', 9, undefined],
])('the body of a box is %s', (_what, length, position) => {
  const data = makeFullBox('tfhd', 0x02_00_00, words(1))
  const found = (): number => bodyAt(data, typeOf('tfhd'), 0, data.length, length)
  if (position === undefined) expect(found).toThrow(new Fmp4Error('no whole tfhd'))
  else expect(found()).toBe(position)
  expect(() => bodyAt(data, typeOf('tfdt'), 0, data.length, 0)).toThrow(new Fmp4Error('no whole tfdt'))
})

test('all boxes are listed, also one with a size of 64 bits', () => {
  const data = Buffer.concat([makeBox('moov', words(1)), words(1, typeOf('mdat'), 0, 20, 7), makeBox('free')])
  const boxes = boxesIn(data, 0, data.length).map(({ type, start, body, end }) => [lettersOf(type), start, body, end])
  expect(boxes).toEqual([
    ['moov', 0, 8, 12],
    ['mdat', 12, 28, 32],
    ['free', 32, 40, 40],
  ])
  expect(boxesIn(data, 12, 12)).toEqual([])
})

test.each([
  ['are cut in a header', makeBox('moov', words(7)), 0, 7],
  ['are cut in a body', makeBox('moov', words(7)), 0, 11],
  ['end with other bytes', Buffer.concat([makeBox('moov'), Buffer.alloc(3)]), 0, 11],
  ['end after the data', makeBox('moov'), 0, 16],
  ['are shorter than their header', words(7, typeOf('moov')), 0, 8],
  ['go on to the end of the file', words(0, typeOf('moov')), 0, 8],
  ['are shorter than their long header', words(1, typeOf('moov'), 0, 15), 0, 16],
  ['have a long size that is cut', words(1, typeOf('moov'), 0), 0, 12],
  ['have a long size that leads back', words(1, typeOf('moov'), 0xffff_ffff, 0xffff_fff0), 0, 16],
])('boxes that %s are rejected', (_what, data, from, to) => {
  expect(() => boxesIn(data, from, to)).toThrow(Fmp4Error)
})
