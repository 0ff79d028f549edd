import { expect, test } from 'vitest'
import { prometheusText } from './prometheus-format.ts'

test('a metric has its help, its type and its samples, each on a line', () => {
  const text = prometheusText([
    { type: 'gauge', name: 'up', help: 'Whether.', samples: [{ value: 1 }] },
    {
      type: 'counter',
      name: 'seen_total',
      help: 'How many.',
      samples: [
        { labels: { camera: 'yard' }, value: 2 },
        { labels: { camera: 'door', kind: 'x' }, value: 1.5 },
      ],
    },
  ])
  expect(text).toBe(
    [
      '# HELP up Whether.',
      '# TYPE up gauge',
      'up 1',
      '# HELP seen_total How many.',
      '# TYPE seen_total counter',
      'seen_total{camera="yard"} 2',
      'seen_total{camera="door",kind="x"} 1.5',
      '',
    ].join('\n'),
  )
})

test.each([
  ['a"b', 'a\\"b'],
  ['a\\b', 'a\\\\b'],
  ['a\nb', 'a\\nb'],
  ['a\\nb', 'a\\\\nb'],
  ['"} 1\nfalse 1', '\\"} 1\\nfalse 1'],
  ['Hof, ‹Süd›', 'Hof, ‹Süd›'],
])('the label %j stays inside its quotes', (value, shown) => {
  const text = prometheusText([
    { type: 'gauge', name: 'x', help: 'X.', samples: [{ labels: { of: value }, value: 0 }] },
  ])
  expect(text.split('\n').slice(2)).toEqual([`x{of="${shown}"} 0`, ''])
})

test('line ends in a help text are escaped, and quotes are kept', () => {
  const text = prometheusText([{ type: 'gauge', name: 'x', help: 'a "b"\\\nc', samples: [{ value: 0 }] }])
  expect(text.split('\n')[0]).toBe('# HELP x a "b"\\\\\\nc')
})

test.each([
  [Number.NaN, 'NaN'],
  [Number.POSITIVE_INFINITY, '+Inf'],
  [Number.NEGATIVE_INFINITY, '-Inf'],
  [1e21, '1e+21'],
  [-0.5, '-0.5'],
])('%d is written %s', (value, shown) => {
  const text = prometheusText([{ type: 'gauge', name: 'x', help: 'X.', samples: [{ value }] }])
  expect(text.split('\n')[2]).toBe(`x ${shown}`)
})

test('a metric without samples is left out', () => {
  expect(prometheusText([{ type: 'gauge', name: 'x', help: 'X.', samples: [] }])).toBe('')
})
