import { expect, test } from 'vitest'
import { holding, keyed, lineText, loggersIn, type LogLine } from './lines.ts'

const line = (message: string, more: Partial<LogLine> = {}): LogLine => ({
  at: '2026-01-01T00:00:00.000Z',
  level: 'info',
  logger: 'service.http',
  message,
  fields: {},
  ...more,
})

test('lines keep their keys when older ones are dropped', () => {
  const all = [line('a'), line('b'), line('a'), line('a', { logger: 'service' })]
  const before = keyed(all).map(({ key }) => key)
  expect(new Set(before).size).toBe(4)
  expect(keyed(all.slice(1)).map(({ key }) => key)).toEqual(before.slice(1))
})

test('loggers are listed with their parents', () => {
  expect(loggersIn([line('a'), line('b', { logger: 'service.api.auth' })])).toEqual([
    'service',
    'service.api',
    'service.api.auth',
    'service.http',
  ])
})

test('a search finds text in the fields', () => {
  const lines = [line('audit', { fields: { user: 'Ann' } }), line('ready')]
  expect(holding(lines, ' ann ')).toEqual([lines[0]])
  expect(holding(lines, 'HTTP')).toEqual(lines)
  expect(holding(lines, '')).toBe(lines)
})

test('a line is copied with all its fields', () => {
  expect(lineText(line('ready'))).toBe('2026-01-01T00:00:00.000Z INFO service.http: ready')
  expect(lineText(line('ready', { level: 'warn', fields: { version: '1' } }))).toBe(
    '2026-01-01T00:00:00.000Z WARN service.http: ready {"version":"1"}',
  )
})
