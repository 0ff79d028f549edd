import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { credentialLookup, onlyReadable } from '../config/placeholder.ts'
import { placeholderSecret } from './config.ts'
import { onlyDatabaseSecrets } from './database-url.ts'

/** The lookup of a service whose credentials are files, one of them a folder, which can't be read. */
function lookup() {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'SERVICE_CAM_YARD'), 'seen')
  mkdirSync(join(folder, 'SERVICE_CAM_OFFICE'))
  mkdirSync(join(folder, 'SERVICE_DATABASE_PASSWORD'))
  return onlyDatabaseSecrets(credentialLookup({ CREDENTIALS_DIRECTORY: folder }))
}

test.each([
  ['that can be read', 'SERVICE_CAM_YARD', 'seen'],
  ['that is missing', 'SERVICE_CAM_BARN', placeholderSecret],
  ['that can’t be read', 'SERVICE_CAM_OFFICE', placeholderSecret],
])('[CMD-3] a camera’s secret %s keeps no command from the database', (_what, name, value) => {
  expect(lookup()(name)).toBe(value)
})

test('[CMD-3] the database’s secret has no stand-in', () => {
  const ofService = lookup()
  expect(ofService('SERVICE_DATABASE_USER')).toBeUndefined()
  expect(() => ofService('SERVICE_DATABASE_PASSWORD')).toThrow("Couldn't read")
  expect(onlyReadable(ofService)('SERVICE_DATABASE_PASSWORD')).toBeUndefined()
})
