import { expect, test } from 'vitest'
import { returnPath } from './return-path.ts'

test.each<[text: string | undefined, path: string]>([
  [undefined, '/'],
  ['', '/'],
  ['/', '/'],
  ['/live?camera=yard#top', '/live?camera=yard#top'],
  ['/a/../live', '/live'],
  ['live', '/'],
  ['live/yard', '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['/.//evil.example', '/'],
  ['/x/..//evil.example', '/'],
  ['https://evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['/live\r\nSet-Cookie: a=b', '/'],
  [`/${'x'.repeat(2_048)}`, '/'],
  [`/${'x'.repeat(2_047)}`, `/${'x'.repeat(2_047)}`],
  [`/${'a/../'.repeat(500)}live`, '/'],
  // Three characters each, encoded.
  [`/${'"'.repeat(700)}`, '/'],
])('%j leads to %s', (text, path) => expect(returnPath(text)).toBe(path))
