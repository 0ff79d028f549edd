import { expect, test } from 'vitest'
import { requestMeta } from '../../test/support/request-meta.ts'
import { challengeFor } from './challenge.ts'

const basic = 'Basic realm="Gatehouse", charset="UTF-8"'

test.each<[string, Record<string, string>, string | undefined]>([
  ['ffmpeg', { 'user-agent': 'Lavf/60.16.100' }, basic],
  ['VLC', { 'user-agent': 'VLC/3.0.20 LibVLC/3.0.20' }, basic],
  ['curl', { 'user-agent': 'curl/8.5.0' }, basic],
  ['a program without a name', {}, basic],
  ['a browser over HTTPS', { 'sec-fetch-mode': 'cors', 'user-agent': 'x' }, undefined],
  ['a browser that loads an image', { 'sec-fetch-dest': 'image', 'user-agent': 'x' }, undefined],
  ['a browser that only says from which site', { 'sec-fetch-site': 'same-origin', 'user-agent': 'x' }, undefined],
  ['a script of a page', { 'x-requested-with': 'XMLHttpRequest', 'user-agent': 'x' }, undefined],
  ['a browser over HTTP', { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' }, undefined],
  ['a page with its own name', { origin: 'null', 'user-agent': 'x' }, undefined],
])('[KEY-3] %s', (_what, headers, challenge) => {
  expect(challengeFor(requestMeta(headers))).toBe(challenge)
})
