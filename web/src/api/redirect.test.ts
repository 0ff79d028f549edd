import { expect, test } from 'vitest'
import { elsewhere, nextStep } from './redirect.ts'

const requested = new URL('https://cams.example/api/profile')
const response = (status: number, location?: string) =>
  new Response(null, { status, ...(location !== undefined && { headers: { location } }) })

test.each([
  ['https://sso.example/login?rd=x', 'https://sso.example/login?rd=x'],
  ['http://sso.example/', 'http://sso.example/'],
  ['/sso', 'https://cams.example/sso'],
  ['javascript:alert(1)', undefined],
  ['JaVaScRiPt:alert(1)', undefined],
  ['\tjavascript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['file:///etc/hosts', undefined],
  ['http://', undefined],
  ['', undefined],
])('[PROXY-12] a 401 with Location %j sends the page to %j', (location, url) => {
  const to = elsewhere(response(401, location), requested)
  expect(to?.kind === 'address' ? to.url.href : undefined).toBe(url)
})

test('[PROXY-12] a Location header on any other response is ignored', () => {
  expect(elsewhere(response(201, '/x'), requested)).toBeUndefined()
  expect(elsewhere(response(403, 'https://sso.example/'), requested)).toBeUndefined()
  expect(elsewhere(response(401), requested)).toBeUndefined()
})

const throughApi = new URL('https://cams.example/api/login')

test('[PROXY-12] an opaque redirect reloads the page, then goes through the API, then becomes a link', () => {
  const steps = [0, 1, 2, Number.POSITIVE_INFINITY].map((tried) => nextStep({ kind: 'unseen' }, tried, throughApi))
  expect(steps).toEqual([
    { do: 'reload' },
    { do: 'go', url: throughApi },
    { do: 'link', url: throughApi },
    { do: 'link', url: throughApi },
  ])
})

test('[PROXY-12] a URL that keeps redirecting back becomes a link', () => {
  const to = { kind: 'address', url: new URL('https://sso.example/') } as const
  expect([0, 1].map((tried) => nextStep(to, tried, throughApi).do)).toEqual(['go', 'link'])
})
