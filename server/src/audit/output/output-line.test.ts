import { expect, test } from 'vitest'
import { csvHeader, csvOf, gapLine, jsonOf, type OutputLine } from './output-line.ts'
import { parseSyslogAddress } from './syslog-address.ts'
import { asciiJson, octetCounted, priorityOf, syslogMessage } from './syslog-message.ts'

const line = (more: Partial<OutputLine> = {}): OutputLine => ({
  id: 7,
  at: '2026-01-01T12:00:00.000Z',
  action: 'watch',
  result: 'success',
  user: 'Ann',
  auth_method: 'password',
  address: '192.0.2.7',
  target: 'yard',
  ...more,
})

/** A text that would forge a second line. */
const forged = 'yard\n2026-01-01 ok\r\u0085\u2028\u202e\u001b[2J'

test.each([
  [
    'an entry of a use',
    line({ credential: { id: 't1', name: 'wall, left' }, count: 2, duration: 61.5, start: 1, end: 2 }),
    '7,2026-01-01T12:00:00.000Z,watch,success,Ann,password,t1,"wall, left",192.0.2.7,yard,,2,61.5,1,2',
  ],
  [
    'an entry without a user',
    line({ user: null, auth_method: null, target: null }),
    '7,2026-01-01T12:00:00.000Z,watch,success,,,,,192.0.2.7,,,1,,,',
  ],
  [
    'a formula',
    line({ user: '=1+1', target: '@sum', detail: '-2' }),
    "7,2026-01-01T12:00:00.000Z,watch,success,'=1+1,password,,,192.0.2.7,'@sum,'-2,1,,,",
  ],
  [
    'a forged line',
    line({ target: forged }),
    String.raw`7,2026-01-01T12:00:00.000Z,watch,success,Ann,password,,,192.0.2.7,yard\n2026-01-01 ok\u000d\u0085\u2028\u202e\u001b[2J,,1,,,`,
  ],
])('[AUD-7] %s as CSV', (_name, entry, expected) => {
  expect(csvOf(entry)).toBe(`${expected}\r\n`)
  expect(csvOf(entry).split('\r\n')).toHaveLength(2)
})

test('[AUD-7] CSV has a name for each column', () => {
  expect(csvHeader.split(',')).toHaveLength(csvOf(line()).split(',').length)
})

test('[AUD-7] JSON is one line, and says the same', () => {
  const entry = line({ user: 'Zoë', target: forged })
  expect(jsonOf(entry)).not.toMatch(/[\0-\u001f\u007f-\u009f\u2028\u2029\u202e]/)
  expect(jsonOf(entry)).toContain('Zoë')
  expect(JSON.parse(jsonOf(entry))).toEqual(entry)
})

test('[AUD-7] a gap says how many entries are missing', () => {
  expect(gapLine(12, 0)).toMatchObject({
    id: null,
    action: 'output.gap',
    result: 'failure',
    count: 12,
    detail: '12 entries not written',
  })
})

const header = { facility: 13, appName: 'nvr', hostName: 'host 1\n', processId: 42 }

test.each([
  ['success', '<110>'],
  ['denied', '<109>'],
  ['failure', '<108>'],
] as const)('[AUD-7] the priority of a %s', (result, expected) => {
  expect(priorityOf(line({ result }), 13)).toBe(expected)
})

test('[AUD-7] a syslog message is ASCII, on one line, and its length counts bytes', () => {
  const entry = line({ user: 'Zoë', target: forged })
  const message = syslogMessage(entry, header)
  expect(message).toMatch(/^<110>1 2026-01-01T12:00:00.000Z host1 nvr 42 watch - \{[ -~]*\}$/)
  expect(JSON.parse(asciiJson(entry))).toEqual(entry)
  expect(octetCounted('é')).toBe('2 é')
  expect(syslogMessage(entry, { ...header, hostName: 'ü' })).toContain('Z - nvr')
})

test.each([
  ['unix:/dev/log', { transport: 'unix', path: '/dev/log' }],
  ['udp://192.0.2.9:514', { transport: 'udp', host: '192.0.2.9', port: 514 }],
  ['tcp://logs.lan:601', { transport: 'tcp', host: 'logs.lan', port: 601 }],
  ['tcp://[2001:db8::1]:601', { transport: 'tcp', host: '2001:db8::1', port: 601 }],
  ['unix:dev/log', undefined],
  [`unix:/${'x'.repeat(107)}`, undefined],
  ['unix:/a\nb', undefined],
  ['tcp://logs.lan', undefined],
  ['tcp://logs.lan:0', undefined],
  ['tcp://logs.lan:65536', undefined],
  ['tcp://user:secret@logs.lan:601', undefined],
  ['http://logs.lan:601', undefined],
  ['', undefined],
])('[AUD-7] the address %j', (text, expected) => {
  expect(parseSyslogAddress(text)).toEqual(expected)
})
