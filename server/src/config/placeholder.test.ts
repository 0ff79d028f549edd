import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { credentialLookup, onlyReadable, resolvePlaceholders, type FilledKey } from './placeholder.ts'

const lookup = (name: string) =>
  new Map([
    ['SERVICE_CAM_A', 'a@b/c%'],
    ['SERVICE_PROXY_A', 'proxy'],
    ['SERVICE_DATABASE_A', 'd@ta'],
    ['SERVICE_A', 'another'],
    ['SERVICE_CAMERA', 'its own name'],
    ['SERVICE_JWT_SECRET', 'signs tokens'],
    ['SERVICE_ÄÖ', 'no'],
  ]).get(name)

test.each<[FilledKey, string, string]>([
  ['proxy.auth_secret', 'plain', 'plain'],
  ['proxy.auth_secret', 'x{SERVICE_PROXY_A}y{SERVICE_PROXY_A}', 'xproxyyproxy'],
  ['proxy.auth_secret', '{OTHER}', '{OTHER}'],
  ['proxy.auth_secret', '{SERVICE_A}', 'another'],
  ['proxy.auth_secret', '{SERVICE_CAMERA}', 'its own name'],
  ['database.url', 'postgres://u:{SERVICE_DATABASE_A}@h/{SERVICE_DATABASE_A}', 'postgres://u:d%40ta@h/d@ta'],
  ['camera-source', 'rtsp://{SERVICE_CAM_A}:{SERVICE_CAM_A}@h/x', 'rtsp://a%40b%2Fc%25:a%40b%2Fc%25@h/x'],
  ['camera-source', 'rtsp://u:p@q:{SERVICE_CAM_A}@h', 'rtsp://u:p@q:a%40b%2Fc%25@h'],
  ['camera-source', 'http://h/x?p={SERVICE_CAM_A}&q', 'http://h/x?p=a%40b%2Fc%25&q'],
])('%s: %s becomes %s', (key, text, filled) => {
  expect(resolvePlaceholders(text, key, lookup)).toEqual({ text: filled })
})

const elsewhere = 'placeholder-not-allowed'
const place = 'placeholder-place'

test.each<[FilledKey, string, string]>([
  ['camera-source', 'rtsp://{SERVICE_CAM_B}:{SERVICE_CAM_C}@h', 'unresolved-placeholder'],
  ['camera-source', 'rtsp://{SERVICE_CAM_A', 'incomplete-placeholder'],
  ['camera-source', 'rtsp://{SERVICE_CAM_A-B}@h', 'incomplete-placeholder'],
  ['camera-source', 'rtsp://{SERVICE_ÄÖ}@h', 'incomplete-placeholder'],
])('%s: %s is a problem: %s', (key, text, problem) => {
  expect(resolvePlaceholders(text, key, lookup)).toMatchObject({ problem: { code: problem } })
})

test.each<[FilledKey, string, string]>([
  ['camera-source', 'http://u:{SERVICE_JWT_SECRET}@192.0.2.9/', elsewhere],
  ['camera-source', 'http://192.0.2.9/?{SERVICE_JWT_SECRET}', elsewhere],
  ['camera-source', 'http://u:{SERVICE_CAM_A}{SERVICE_JWT_SECRET}@192.0.2.9/', elsewhere],
  ['camera-source', 'http://u:{SERVICE_PROXY_A}@192.0.2.9/', elsewhere],
  ['camera-source', 'http://u:{SERVICE_DATABASE_A}@192.0.2.9/', elsewhere],
  ['camera-source', 'http://u:{SERVICE_A}@192.0.2.9/', elsewhere],
  ['camera-source', 'http://u:{SERVICE_CAMERA}@192.0.2.9/', elsewhere],
  ['camera-source', 'http://{SERVICE_CAM_A}/', place],
  ['camera-source', 'http://u:p@{SERVICE_CAM_A}/', place],
  ['camera-source', 'http://{SERVICE_CAM_A}.attacker.example/', place],
  ['camera-source', 'http://h/{SERVICE_CAM_A}', place],
  ['camera-source', 'http://h/{SERVICE_CAM_A}@x', place],
  ['camera-source', 'http://h/{SERVICE_CAM_A}?x', place],
  ['camera-source', 'http://h/#?{SERVICE_CAM_A}', place],
  ['camera-source', '{SERVICE_CAM_A}://u@h/', place],
  ['camera-source', 'file:{SERVICE_CAM_A}.mp4', place],
  ['camera-source', '{SERVICE_CAM_A}', place],
  ['proxy.auth_secret', '{SERVICE_JWT_SECRET}', elsewhere],
  ['proxy.auth_secret', '{SERVICE_CAM_A}', elsewhere],
  ['proxy.auth_secret', '{SERVICE_DATABASE_A}', elsewhere],
  ['proxy.auth_secret', '{SERVICE_OIDC_A}', elsewhere],
  ['proxy.auth_secret', '{SERVICE_S3_A}', elsewhere],
  ['proxy.auth_secret', '{SERVICE_A}{SERVICE_JWT_SECRET}', elsewhere],
  ['database.url', 'postgres://u:{SERVICE_JWT_SECRET}@h/x', elsewhere],
  ['database.url', 'postgres://u:{SERVICE_PROXY_A}@h/x', elsewhere],
  ['database.url', 'postgres://u:{SERVICE_CAM_A}@h/x', elsewhere],
])('[SEC-5] %s is not filled as in %s', (key, text, problem) => {
  const filled = resolvePlaceholders(text, key, (name) => {
    throw new Error(`${name} was looked up`)
  })
  expect(filled).toMatchObject({ problem: { code: problem } })
})

test('[CONF-3] the environment wins over the file; empty values do not count; a file is trimmed', () => {
  const directory = temporaryFolder()
  writeFileSync(join(directory, 'SERVICE_FILE'), '  from file\n')
  writeFileSync(join(directory, 'SERVICE_BOTH'), 'from file')
  writeFileSync(join(directory, 'SERVICE_EMPTY'), ' \n')
  const lookup = credentialLookup({ CREDENTIALS_DIRECTORY: directory, SERVICE_BOTH: 'from env', SERVICE_FILE: '' })
  expect(lookup('SERVICE_BOTH')).toBe('from env')
  expect(lookup('SERVICE_FILE')).toBe('from file')
  expect(lookup('SERVICE_EMPTY')).toBeUndefined()
  expect(lookup('SERVICE_NONE')).toBeUndefined()
})

test('[CONF-3] a file that exists but can’t be read is a problem that names it, and not a missing one', () => {
  const directory = temporaryFolder()
  const file = join(directory, 'SERVICE_CAM_A')
  mkdirSync(file)
  const lookup = credentialLookup({ CREDENTIALS_DIRECTORY: directory })
  const source = 'rtsp://u:{SERVICE_CAM_A}@h'
  expect(resolvePlaceholders(source, 'camera-source', lookup)).toMatchObject({
    problem: { code: 'unreadable-credential', values: { file, error: 'EISDIR' } },
  })
  expect(resolvePlaceholders(source, 'camera-source', onlyReadable(lookup))).toMatchObject({
    problem: { code: 'unresolved-placeholder' },
  })
})

test.each([
  ['in what is not a folder', (folder: string) => join(folder, 'file'), 'SERVICE_CAM_A'],
  ['with a name too long for a file', (folder: string) => folder, `SERVICE_CAM_${'A'.repeat(300)}`],
])('[CONF-3] a credential %s is missing', (_what, directoryIn, name) => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'file'), '')
  expect(credentialLookup({ CREDENTIALS_DIRECTORY: directoryIn(folder) })(name)).toBeUndefined()
})
