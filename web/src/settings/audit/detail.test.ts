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

const detailOfLink = (detail: string) => detailsOf(line({ action: 'link.create', detail }), texts, 'en').join()
const inWords = (action: string, detail: string) => detailsOf(line({ action, detail }), texts, 'en').join()
const detailsOfExport = (detail: string) => detailsOf(line({ action: 'export.create', detail }), texts, 'en')

test('[AUD-2] an entry shows how often it happened', () => {
  expect(detailsOf(line({ action: 'request.denied', count: 1000 }), texts, 'en')).toEqual(['1,000 times'])
  expect(detailsOf(line({}), texts, 'en')).toEqual([])
})

test('[AUD-3] a read shows which recording was played and for how long, but not how many requests it took', () => {
  const start = Date.UTC(2026, 0, 1, 10) / 1000
  const details = detailsOf(line({ action: 'playback', count: 90, duration: 125, start, end: start + 60 }), texts, 'en')
  expect(details).toHaveLength(2)
  expect(details[0]).toMatch(/^recorded Jan 1, 2026/)
  expect(details[1]).toBe('for 2 minutes 5 seconds')
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

test('the times of a share link are shown as the locale writes them', () => {
  const [from, to] = ['2026-01-01T10:00:00.000Z', '2026-01-01T10:01:00.000Z']
  expect(detailOfLink(`live yard ${from} for Ben`)).toMatch(/^live yard Jan 1, 2026, [\d:]+\s[AP]M for Ben$/)
  expect(detailOfLink(`history yard ${from}/${to} ${to}`)).toMatch(
    /^history yard Jan 1, 2026, [^Z]+ Jan 1, 2026, [^Z]+$/,
  )
})

test('[AUD-2] times in a user’s text are shown as they are, also if there are no such times', () => {
  const [time, wrong] = ['2026-01-01T10:00:00.000Z', '2026-99-99T99:99:99.999Z']
  const link = detailOfLink(`live yard ${time} 2026-99-99T9Z ${wrong} ${time}`)
  expect(link).toMatch(/^live yard Jan 1, 2026, [\d:]+\s[AP]M 2026-99-99T9Z /)
  expect(link.endsWith(` ${wrong} ${time}`)).toBe(true)
  for (const detail of [`${wrong}/${wrong}: live yard`, `${time}: live yard`]) {
    expect(detailsOf(line({ action: 'link.revoke', detail }), texts, 'en')).toEqual([detail])
  }
  for (const name of ['2026-99-99T9Z', '2026-9Z/2026-9Z', time, wrong]) {
    expect(detailsOf(line({ action: 'factor.rename', detail: name }), texts, 'en')).toEqual([name])
    expect(detailsOf(line({ action: 'token.create', detail: `${name}: yard` }), texts, 'en')).toEqual([`${name}: yard`])
  }
})

test('[AUD-2] a time that is none is shown as it is where the service writes times', () => {
  const wrong = '2026-99-99T99:99:99.999Z'
  for (const detail of [`live yard ${wrong}`, `history yard ${wrong}/${wrong} ${wrong}`]) {
    expect(detailOfLink(detail)).toBe(detail)
  }
  expect(detailsOfExport(`${wrong}/${wrong} 0123abcd`)).toEqual([`recorded ${wrong}/${wrong}`, '0123abcd'])
})

test('the times of other details are shown as the locale writes them', () => {
  const [from, to] = ['2026-01-01T10:00:00.000Z', '2026-01-01T10:01:00.000Z']
  expect(inWords('link.revoke', `bo: history yard ${from}/${to}`)).toMatch(/^bo: history yard Jan 1, 2026, [^Z]+$/)
  expect(inWords('review.delete', `yard ${from}`)).toMatch(/^yard Jan 1, 2026, [\d:]+\s[AP]M$/)
  expect(inWords('recordings.delete', `${from} – ${to}, 7`)).toMatch(/^Jan 1, 2026, [^Z]+ – Jan 1, 2026, [^Z]+, 7$/)
})

test('[AUD-2] the reason why a token was rejected is shown in words', () => {
  const details = detailsOf(line({ action: 'request.denied', result: 'denied', detail: 'revoked-token' }), texts, 'en')
  expect(details).toEqual(['The token was revoked.'])
})

test('the reason why a camera test failed is shown in words', () => {
  const [reason] = detailsOf(line({ action: 'camera.test', result: 'failure', detail: 'no-route' }), texts, 'en')
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
  expect(detailsOf(line({ action, detail }), texts, 'en')).toEqual(expected)
})
