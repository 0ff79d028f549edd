import { expect, test } from 'vitest'
import { createLinkKeys } from './link-keys.ts'

const keys = createLinkKeys('the secret of the service')
const link = { id: 'one', secretHash: 'hash' }

test.each([
  ['as it was set', 'one', 'café 7', true],
  ['with spaces around it', 'one', ' café 7\n', true],
  ['in another form of Unicode', 'one', 'cafe\u0301 7', true],
  ['in capitals', 'one', 'CAFÉ 7', false],
  ['of another link', 'two', 'café 7', false],
])('[LINK-3] a code %s', (_how, id, code, isRight) => {
  expect(keys.hasCode(id, code, keys.codeHash('one', 'café 7'))).toBe(isRight)
})

test('[LINK-3] a hash of another length is that of no code', () => {
  expect(keys.hasCode('one', 'café 7', keys.codeHash('one', 'café 7').slice(1))).toBe(false)
})

test.each([
  ['of the same link', {}, 'viewer', true],
  ['of another link', { id: 'two' }, 'viewer', false],
  ['of a link with another secret', { secretHash: 'another' }, 'viewer', false],
  ['of another viewer', {}, 'other', false],
])('[LINK-2] a signature %s', (_of, more, viewer, isRight) => {
  expect(keys.isSigned({ ...link, ...more }, viewer, keys.sign(link, 'viewer'))).toBe(isRight)
})

test('[LINK-2] the keys are made from the secret of the service', () => {
  const others = createLinkKeys('another secret')
  expect(others.sign(link, 'viewer')).not.toBe(keys.sign(link, 'viewer'))
  expect(others.codeHash('one', 'code')).not.toBe(keys.codeHash('one', 'code'))
})
