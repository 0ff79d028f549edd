import { expect, test } from 'vitest'
import { requestMeta } from '../../../test/support/request-meta.ts'
import { cookieValues } from './cookie-values.ts'

const requestWith = (...cookie: readonly string[]) => requestMeta({ cookie })

test.each<[name: string, headers: readonly string[], values: readonly string[]]>([
  ['x', [], []],
  ['x', ['x=1'], ['1']],
  ['x', [' y=2;\tx = 1\t; z'], ['1']],
  ['x', ['x=1; y=2; x=3', 'x=1'], ['1', '3', '1']],
  ['x', ['x=a=b'], ['a=b']],
  ['x', ['x='], ['']],
  ['x', ['X=1; xy=2; x; =x; =x=1'], []],
  ['x', ['xy'], []],
  ['', ['=1; ;'], []],
])('[TOK-12] the cookies named %j in %j are %j', (name, headers, values) => {
  expect(cookieValues(requestWith(...headers), name)).toEqual(values)
})
