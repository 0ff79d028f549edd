import { expect, test } from 'vitest'
import { cursorOf, positionFrom } from './cursor.ts'
import { ServiceError } from '../errors.ts'

const hex = /^[0-9a-f]{4}$/
const encoded = (text: string) => Buffer.from(text).toString('base64url')

test('a cursor is parsed back', () => {
  expect(positionFrom(cursorOf(1_763_726_400_250, '00af'), hex)).toEqual({ at: 1_763_726_400_250, id: '00af' })
})

test.each(['', 'x', encoded('1'), encoded('1.00AF'), encoded('01.00af'), encoded('1.00af\n'), `${encoded('1.00af')}=`])(
  '[ERR-3] %s isn’t a cursor',
  (cursor) => {
    expect(() => positionFrom(cursor, hex)).toThrow(ServiceError)
  },
)
