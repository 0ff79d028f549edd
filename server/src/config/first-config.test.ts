import { expect, test } from 'vitest'
import { firstConfig } from './first-config.ts'
import { loadConfig } from './load.ts'

const parts = { mediaDir: '/media', trustedHeaders: { names: new Set<string>(), file: '' }, lookup: () => undefined }

test('[CONF-1] the first configuration is valid, explained, and changes nothing', () => {
  const { blank, problems } = loadConfig(firstConfig(), parts)
  expect(problems).toEqual([])
  expect(blank).toBe(true)
  expect(firstConfig()).toContain('# Seconds until a session expires.')
})

test('[CONF-1] with its lines uncommented it says the defaults', () => {
  const uncommented = firstConfig().replaceAll(/^#(?! )|^#(?=  )/gm, '')
  const { blank, config, problems } = loadConfig(uncommented, parts)
  expect(problems).toEqual([])
  expect(blank).toBe(false)
  expect(config).toEqual(loadConfig('', parts).config)
})

test('no line is longer than 120 characters', () => {
  expect(
    firstConfig()
      .split('\n')
      .filter((line) => line.length > 125),
  ).toEqual([])
})
