import { expect, test } from 'vitest'
import { ConfigSchema } from '../../app/config/config.ts'
import { firstConfig } from './first-config.ts'
import { loadConfig } from '../../app/config/load-config.ts'

const parts = { mediaDir: '/media', trustedHeaders: { names: new Set<string>(), file: '' }, lookup: () => undefined }

test('[CONF-1] the first configuration is valid, explained, and changes nothing', () => {
  const { empty, problems } = loadConfig(firstConfig(ConfigSchema), parts)
  expect(problems).toEqual([])
  expect(empty).toBe(true)
  expect(firstConfig(ConfigSchema)).toContain('# Seconds until a session expires.')
})

test('[CONF-1] with its lines uncommented it says the defaults', () => {
  const uncommented = firstConfig(ConfigSchema).replaceAll(/^#(?! )|^#(?=  )/gm, '')
  const { empty, config, problems } = loadConfig(uncommented, parts)
  expect(problems).toEqual([])
  expect(empty).toBe(false)
  expect(config).toEqual(loadConfig('', parts).config)
})

test('no line is longer than 120 characters', () => {
  expect(
    firstConfig(ConfigSchema)
      .split('\n')
      .filter((line) => line.length > 125),
  ).toEqual([])
})
