import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { systemRandom } from '../../shared/random.ts'
import { findJwtSecret } from './jwt-secret.ts'

vi.mock('node:fs', { spy: true })

const long = (sign: string) => sign.repeat(64)
let dir = ''
const own = () => join(dir, '.jwt_secret')
const find = () =>
  findJwtSecret({
    env: { CREDENTIALS_DIRECTORY: join(dir, 'secrets'), APP_OPTIONS_FILE: join(dir, 'options.json') },
    configDir: dir,
    random: systemRandom,
  }).secret
const fault = (code?: string) => Object.assign(new Error('a fault'), code !== undefined && { code })
const fails = (code?: string) => () => {
  throw fault(code)
}
const stored = () => fs.readFileSync(own(), 'utf8')

beforeEach(() => {
  dir = temporaryFolder()
})
afterEach(() => {
  vi.resetAllMocks()
  expect(fs.readdirSync(dir).filter((name) => name !== '.jwt_secret')).toEqual([])
})

describe('[SEC-2] a file system without hard links', () => {
  test.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])('(%s) gets the generated secret by a rename', (code) => {
    vi.mocked(fs.linkSync).mockImplementation(fails(code))
    const secret = find()
    expect(secret).toMatch(/^[0-9a-f]{128}$/)
    expect(stored()).toBe(secret)
  })

  test('keeps the secret that another instance has written', () => {
    vi.mocked(fs.linkSync).mockImplementation(() => {
      fs.writeFileSync(own(), long('a'))
      throw fault('EPERM')
    })
    expect(find()).toBe(long('a'))
    expect(stored()).toBe(long('a'))
  })
})

test.each([
  ['ENOSPC', 'ENOSPC', 1],
  ['EROFS', 'EROFS', 1],
  ['EACCES', 'EACCES', 78],
  [undefined, 'a fault', 78],
])('[SEC-4] a secret that cannot be put in place stops the service at startup (%s)', (code, message, status) => {
  vi.mocked(fs.linkSync).mockImplementation(fails(code))
  expect(find).toThrow(
    expect.objectContaining({ name: 'StartError', status, message: expect.stringContaining(`(${message})`) }),
  )
  expect(fs.existsSync(own())).toBe(false)
})

test.each([
  ['ESTALE', 1],
  ['EACCES', 78],
])('[SEC-4] a secret that cannot be read because of %s ends the start with status %i', (code, status) => {
  vi.mocked(fs.readFileSync).mockImplementation(fails(code))
  expect(find).toThrow(expect.objectContaining({ name: 'StartError', status }))
})

test('[SEC-4] an unreadable file of another instance stops the service at startup, with the reason', () => {
  vi.mocked(fs.linkSync).mockImplementation(() => {
    fs.writeFileSync(own(), Buffer.alloc(64, 0xff))
    throw fault('EEXIST')
  })
  expect(find).toThrow(/^Couldn't read the JWT secret from the file /)
})

describe('[SEC-2] an empty file', () => {
  test('is replaced', () => {
    fs.writeFileSync(own(), ' \n')
    const secret = find()
    expect(stored()).toBe(secret)
  })

  test('that another instance fills before it is removed is put back', () => {
    fs.writeFileSync(own(), '')
    vi.mocked(fs.renameSync).mockImplementationOnce((from, to) => {
      fs.writeFileSync(own(), long('a'))
      fs.renameSync(from, to)
    })
    expect(find()).toBe(long('a'))
    expect(stored()).toBe(long('a'))
  })

  test('that another instance removes is not a fault', () => {
    fs.writeFileSync(own(), '')
    vi.mocked(fs.renameSync).mockImplementationOnce(() => {
      fs.rmSync(own())
      throw fault('ENOENT')
    })
    expect(find()).toBe(stored())
  })

  test('that cannot be removed stops the service at startup', () => {
    fs.writeFileSync(own(), '')
    vi.mocked(fs.renameSync).mockImplementation(fails('EACCES'))
    expect(find).toThrow(/\(EACCES\): make its folder writable/)
  })

  test('that comes back every time stops the service at startup', () => {
    fs.writeFileSync(own(), '')
    vi.mocked(fs.renameSync).mockImplementation((from, to) => {
      fs.cpSync(String(from), String(to))
    })
    expect(find).toThrow(/another process keeps truncating it/)
    expect(fs.renameSync).toHaveBeenCalledTimes(5)
  })
})

test('[SEC-2] the file and its folder are written to the disk, and closed', () => {
  find()
  expect(fs.fsyncSync).toHaveBeenCalledTimes(2)
  const opened = vi.mocked(fs.openSync).mock.results.filter(({ type }) => type === 'return')
  expect(fs.closeSync).toHaveBeenCalledTimes(opened.length)
})

test('[SEC-1] the default places of a secret', () => {
  findJwtSecret({ env: {}, configDir: dir, random: systemRandom })
  const read = vi.mocked(fs.readFileSync).mock.calls.map(([file]) => file)
  expect(read.slice(0, 3)).toEqual(['/run/secrets/SERVICE_JWT_SECRET', '/data/options.json', own()])
})
