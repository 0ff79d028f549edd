import { globSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import type { StartError } from '../../shared/errors.ts'
import { systemRandom } from '../../shared/random.ts'
import { findJwtSecret, minSecretLength } from './jwt-secret.ts'

const long = (sign: string) => sign.repeat(64)
let dir = ''
let env: Record<string, string> = {}
const at = (...path: string[]) => join(dir, ...path)
const own = () => at('.jwt_secret')
const credential = () => at('secrets', 'SERVICE_JWT_SECRET')
const find = () => findJwtSecret({ env, configDir: dir, random: systemRandom })
const failure = (): StartError => {
  try {
    find()
  } catch (error) {
    return error as StartError
  }
  throw new Error('it started')
}

beforeEach(() => {
  dir = temporaryFolder()
  mkdirSync(at('secrets'))
  env = { CREDENTIALS_DIRECTORY: at('secrets'), APP_OPTIONS_FILE: at('options.json') }
})

test('[SEC-1] the first secret found is used', () => {
  writeFileSync(own(), long('d'))
  expect(find().secret).toBe(long('d'))
  writeFileSync(at('options.json'), JSON.stringify({ jwt_secret: long('c') }))
  expect(find().secret).toBe(long('c'))
  writeFileSync(credential(), long('b'))
  expect(find().secret).toBe(long('b'))
  env['SERVICE_JWT_SECRET'] = long('a')
  expect(find().secret).toBe(long('a'))
})

test('[SEC-1] without variables that name them, the usual places are looked at', () => {
  env = {}
  writeFileSync(own(), long('d'))
  expect(find().secret).toBe(long('d'))
})

test('[SEC-2] a missing secret is generated: 64 random bytes as hex, readable only by the service', () => {
  const { secret } = find()
  expect(secret).toMatch(/^[0-9a-f]{128}$/)
  expect(readFileSync(own(), 'utf8')).toBe(secret)
  expect(statSync(own()).mode & 0o777).toBe(0o600)
  expect(readdirSync(dir).toSorted()).toEqual(['.jwt_secret', 'secrets'])
  expect(find().secret).toBe(secret)
})

test('[SEC-2] two instances that start at the same time get the same secret', () => {
  // The second instance creates its file after the first has generated a secret and before it places it.
  let second: string | undefined
  const { secret } = findJwtSecret({
    env,
    configDir: dir,
    random: {
      bytes(length) {
        if (length === 64) second ??= find().secret
        return systemRandom.bytes(length)
      },
    },
  })
  expect(secret).toBe(second)
})

describe('[SEC-3]', () => {
  test('a secret of 63 characters stops the service at startup with its source, not its value', () => {
    const short = long('x').slice(1)
    for (const place of [
      () => writeFileSync(own(), short),
      () => writeFileSync(at('options.json'), JSON.stringify({ jwt_secret: short })),
      () => writeFileSync(credential(), `\n${short}  \n`),
      () => void (env['SERVICE_JWT_SECRET'] = short),
    ]) {
      place()
      const { message, status } = failure()
      expect(status).toBe(78)
      expect(message).toContain('63')
      expect(message).not.toContain(short)
    }
    expect(failure().message).toContain('environment')
  })

  test('whitespace around a secret in a file is removed', () => {
    writeFileSync(own(), `\n  ${long('a')} \r\n`)
    expect(find().secret).toBe(long('a'))
    writeFileSync(at('options.json'), JSON.stringify({ jwt_secret: `\n  ${long('b')} ` }))
    expect(find().secret).toBe(long('b'))
  })

  test.each(['{}', '{"jwt_secret": null}', '{"jwt_secret": " "}', ' \n'])('options without a secret: %j', (options) => {
    writeFileSync(at('options.json'), options)
    writeFileSync(own(), long('d'))
    expect(find().secret).toBe(long('d'))
  })

  test('an empty secret counts as not found', () => {
    env['SERVICE_JWT_SECRET'] = ''
    writeFileSync(credential(), ' \n')
    writeFileSync(at('options.json'), JSON.stringify({ jwt_secret: '' }))
    writeFileSync(own(), '')
    const { secret } = find()
    expect(secret).toMatch(/^[0-9a-f]{128}$/)
    expect(find().secret).toBe(secret)
  })
})

describe('[SEC-4]', () => {
  test.each([
    ['a credential that is a folder', () => mkdirSync(credential())],
    ['options that are not JSON', () => writeFileSync(at('options.json'), `{"jwt_secret": "${long('s')}`)],
    ['options that are null', () => writeFileSync(at('options.json'), 'null')],
    ['options that are a text', () => writeFileSync(at('options.json'), `"${long('s')}"`)],
    ['a link to a file that is missing', () => symlinkSync(at('missing'), credential())],
    ['options that are a list', () => writeFileSync(at('options.json'), '["jwt_secret"]')],
    ['an option that is a number', () => writeFileSync(at('options.json'), '{"jwt_secret": 7}')],
    ['a file that is not text', () => writeFileSync(own(), Buffer.alloc(64, 0xff))],
  ])('%s stops the service at startup, although the next place has a secret', (_what, place) => {
    writeFileSync(own(), long('d'))
    place()
    const { name, message } = failure()
    expect(name).toBe('StartError')
    expect(message).toMatch(/^(?:Couldn't read the JWT secret from the file|The option jwt_secret|The app options) /)
    expect(message).not.toContain(long('s'))
  })

  test('a secret that cannot be written stops the service at startup', () => {
    const configDir = at('no', 'such', 'folder')
    expect(() => findJwtSecret({ env, configDir, random: systemRandom })).toThrow(
      /^Couldn't write the JWT secret to .* \(ENOENT\)/,
    )
  })

  test('a secret that cannot be read stops the service at startup', () => {
    // Root can read every file, but no folder as one.
    mkdirSync(own())
    expect(failure().message).toMatch(/^Couldn't read the JWT secret from the file /)
  })
})

describe('[SEC-3] the guides', () => {
  const docs = resolve(import.meta.dirname, '../../../../docs')
  const lines = globSync('guides/*.md', { cwd: docs }).flatMap((guide) =>
    readFileSync(join(docs, guide), 'utf8')
      .split('\n')
      .filter((line) => /JWT.secret/i.test(line))
      .map((line) => ({ guide, line })),
  )

  test('give the length that a JWT secret needs', () => {
    const given = lines.flatMap(({ guide, line }) =>
      [...line.matchAll(/at least (\d+) characters/g)].map(([, length]) => [guide, Number(length)]),
    )
    expect(Object.fromEntries(given)).toEqual({
      'guides/debian.md': minSecretLength,
      'guides/several-instances.md': minSecretLength,
    })
  })

  test('make one that is long enough', () => {
    const made = lines.flatMap(({ line }) =>
      [...line.matchAll(/openssl rand -hex (\d+)/g)].map(([, bytes]) => Number(bytes)),
    )
    expect(made.length).toBeGreaterThan(0)
    expect(Math.min(...made) * 2).toBeGreaterThanOrEqual(minSecretLength)
  })
})
