import { expect, test } from 'vitest'
import type { AuditLine } from '../../../../server/src/api-types.ts'
import { loadTexts } from '../../i18n/catalogs.ts'
import { detailsOf } from './detail.ts'

const texts = await loadTexts('en', ['audit', 'reasons'])

const line = (more: Partial<AuditLine>): AuditLine => ({
  id: 1,
  at: '2026-01-01T00:00:00.000Z',
  action: 'login',
  result: 'success',
  user: null,
  auth_method: null,
  address: null,
  target: null,
  ...more,
})

const titles: Readonly<Record<string, string>> = { front_door: 'Front door' }
const details = (more: Partial<AuditLine>) => detailsOf(line(more), texts, 'en', (camera) => titles[camera] ?? camera)
const inWords = (action: string, detail: string) => details({ action, detail }).join()
const detailsOfExport = (detail: string) => details({ action: 'export.create', detail })

test('[AUD-2] an entry shows how often it happened', () => {
  expect(details({ action: 'request.denied', count: 1000 })).toEqual(['1,000 times'])
  expect(details({})).toEqual([])
})

test('[AUD-3] a read shows which recording was played and for how long, but not how many requests it took', () => {
  const start = Date.UTC(2026, 0, 1, 10) / 1000
  const found = details({ action: 'playback', count: 90, duration: 125, start, end: start + 60 })
  expect(found).toHaveLength(2)
  expect(found[0]).toMatch(/^recorded Jan 1, 2026/)
  expect(found[1]).toBe('for 2 minutes 5 seconds')
})

test('an export is shown as a time range, with any further detail on a separate line', () => {
  const range = '2026-01-01T10:00:00.000Z/2026-01-01T10:01:00.000Z'
  expect(detailsOfExport(`${range} 0123abcd`)).toEqual([
    expect.stringMatching(/^recorded Jan 1, 2026/) as string,
    '0123abcd',
  ])
  expect(detailsOfExport(range)).toHaveLength(1)
  expect(detailsOfExport('yard/door')).toEqual(['yard/door'])
})

test('a share link is shown with the title of its camera, its times, its note and its owner', () => {
  const [from, to] = ['2026-01-01T10:00:00.000Z', '2026-01-01T10:01:00.000Z']
  const range = expect.stringMatching(/^recorded Jan 1, 2026, [^Z]+$/) as string
  const end = expect.stringMatching(/^expires Jan 1, 2026, [\d:]+\s[AP]M$/) as string
  expect(details({ action: 'link.create', detail: `live front_door ${to} for Ben: live shed` })).toEqual([
    'Live video: Front door (front_door)',
    end,
    'Note: for Ben: live shed',
  ])
  expect(details({ action: 'link.create', detail: `history shed ${from}/${to} ${to}` })).toEqual([
    'Recording: shed',
    range,
    end,
  ])
  expect(details({ action: 'link.revoke', detail: `bo: b: export front_door ${from}/${to}` })).toEqual([
    'Export: Front door (front_door)',
    range,
    'Owner: bo: b',
  ])
  expect(details({ action: 'link.revoke', detail: 'bo: other' })).toEqual(['bo: other'])
})

test('[AUD-2] times in a user’s text are shown as they are, also if there are no such times', () => {
  const [time, wrong] = ['2026-01-01T10:00:00.000Z', '2026-99-99T99:99:99.999Z']
  const note = `2026-99-99T9Z ${wrong} ${time}`
  expect(details({ action: 'link.create', detail: `live yard ${time} ${note}` })).toEqual([
    'Live video: yard',
    expect.stringMatching(/^expires Jan 1, 2026, [\d:]+\s[AP]M$/) as string,
    `Note: ${note}`,
  ])
  for (const owner of [time, wrong, `${wrong}/${wrong}`]) {
    expect(details({ action: 'link.revoke', detail: `${owner}: live yard` })).toEqual([
      'Live video: yard',
      `Owner: ${owner}`,
    ])
  }
  for (const name of ['2026-99-99T9Z', '2026-9Z/2026-9Z', time, wrong]) {
    expect(details({ action: 'factor.rename', detail: name })).toEqual([name])
    expect(details({ action: 'token.create', detail: `${name}: yard` })).toEqual([`${name}: yard`])
  }
})

test('[AUD-2] a time that is none is shown as it is where the service writes times', () => {
  const wrong = '2026-99-99T99:99:99.999Z'
  expect(details({ action: 'link.create', detail: `history yard ${wrong}/${wrong} ${wrong}` })).toEqual([
    'Recording: yard',
    `recorded ${wrong}/${wrong}`,
    `expires ${wrong}`,
  ])
  expect(details({ action: 'review.delete', detail: `yard ${wrong}` })).toEqual([`yard ${wrong}`])
  expect(detailsOfExport(`${wrong}/${wrong} 0123abcd`)).toEqual([`recorded ${wrong}/${wrong}`, '0123abcd'])
})

test('the times of other details are shown as the locale writes them', () => {
  const [from, to] = ['2026-01-01T10:00:00.000Z', '2026-01-01T10:01:00.000Z']
  expect(inWords('review.delete', `yard ${from}`)).toMatch(/^yard Jan 1, 2026, \d+:00:00\s[AP]M$/)
  expect(inWords('recordings.delete', `${from} – ${to}, 7`)).toMatch(
    /^Jan 1, 2026, \d+:00:00\s[AP]M – Jan 1, 2026, \d+:01:00\s[AP]M, 7$/,
  )
})

test('[AUD-2] the reason why a token was rejected is shown in words', () => {
  const found = details({ action: 'request.denied', result: 'denied', detail: 'revoked-token' })
  expect(found).toEqual(['The token was revoked.'])
})

test('the reason why a camera test failed is shown in words', () => {
  const [reason] = details({ action: 'camera.test', result: 'failure', detail: 'no-route' })
  expect(reason).not.toBe('no-route')
})

test.each([
  ['user.status', '{"disabled":true}', ['disabled']],
  ['user.status', '{"disabled":false,"expires_at":null}', ['enabled', 'no expiry']],
  ['user.status', '{"expires_at":"2026-12-24T18:00:00Z"}', [expect.stringMatching(/^expires Dec 2\d, 2026/)]],
  [
    'screen.change',
    'Hall: {"name":"Porch","cameras":["yard","door"],"audio":false}',
    ['Hall', 'Name: Porch', 'Cameras: yard, door', 'Audio: off'],
  ],
  ['screen.change', 'Hall: {"layout":{"columns":2}}', ['Hall', 'Layout: columns: 2']],
  ['camera.motion', '{"sensitivity":"high","masks":[[[0,0],[1,0],[1,1]]]}', ['Sensitivity: high', 'Masks: 1']],
  ['recording.limits', '{"retain_days":30,"max_gb":null}', ['Days kept: 30', 'Max GB: default']],
  // Cut off, or no object.
  ['user.status', '{"disabled":tr…', ['{"disabled":tr…']],
  ['user.role', '{"disabled":true}', ['{"disabled":true}']],
])('the changed keys of %s %s are shown in words', (action, detail, expected) => {
  expect(details({ action, detail })).toEqual(expected)
})
