import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { credentialLookup, fillPlaceholders } from './placeholder.ts'

const lookup = (name: string) =>
  new Map([
    ['SERVICE_A', 'a@b/c%'],
    ['SERVICE_HOST', 'cam.lan'],
    ['SERVICE_ÄÖ', 'no'],
  ]).get(name)

test.each([
  ['plain', 'plain'],
  ['{SERVICE_A}', 'a@b/c%'],
  ['x{SERVICE_A}y{SERVICE_A}', 'xa@b/c%ya@b/c%'],
  ['rtsp://u:{SERVICE_A}@{SERVICE_HOST}/{SERVICE_HOST}', 'rtsp://u:a%40b%2Fc%25@cam.lan/cam.lan'],
  ['rtsp://u:p@q:{SERVICE_A}@h', 'rtsp://u:p@q:a%40b%2Fc%25@h'],
  ['http://h/x?p={SERVICE_A}', 'http://h/x?p=a%40b%2Fc%25'],
  ['{OTHER}', '{OTHER}'],
])('%s becomes %s', (text, filled) => {
  expect(fillPlaceholders(text, lookup)).toEqual({ text: filled })
})

test.each([
  ['{SERVICE_B} {SERVICE_C} {SERVICE_B}', 'nothing fills `{SERVICE_B}`, `{SERVICE_C}`'],
  ['{SERVICE_A', 'not whole'],
  ['{SERVICE_A-B}', 'not whole'],
  ['{SERVICE_ÄÖ}', 'not whole'],
])('%s is a problem: %s', (text, problem) => {
  expect(fillPlaceholders(text, lookup)).toEqual({
    problem: expect.objectContaining({ message: expect.stringContaining(problem) as string }) as object,
  })
})

test('[CONF-3] the environment comes before the file; what is empty does not count; a file is trimmed', () => {
  const directory = mkdtempSync(join(tmpdir(), 'credentials-'))
  writeFileSync(join(directory, 'SERVICE_FILE'), '  from file\n')
  writeFileSync(join(directory, 'SERVICE_BOTH'), 'from file')
  writeFileSync(join(directory, 'SERVICE_EMPTY'), ' \n')
  const lookup = credentialLookup({ CREDENTIALS_DIRECTORY: directory, SERVICE_BOTH: 'from env', SERVICE_FILE: '' })
  expect(lookup('SERVICE_BOTH')).toBe('from env')
  expect(lookup('SERVICE_FILE')).toBe('from file')
  expect(lookup('SERVICE_EMPTY')).toBeUndefined()
  expect(lookup('SERVICE_NONE')).toBeUndefined()
})
