import { expect, test } from 'vitest'
import { createExchangePause } from './exchange-pause.ts'

test('[OIDC-5] a failed exchange pauses those of its address, IPv6 by /64, for two seconds', () => {
  let now = 0
  const pause = createExchangePause({ elapsed: () => now })
  const are = () => ['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.2', '2001:db8::2', '2001:db8:0:1::2'].map(pause.isOn)
  expect(are()).toEqual([false, false, false, false, false])
  pause.begin('192.0.2.1')
  pause.begin('2001:db8::1')
  now = 1_999
  expect(are()).toEqual([true, true, false, true, false])
  pause.begin('192.0.2.1')
  now = 2_000
  expect(are()).toEqual([true, true, false, false, false])
  now = 3_999
  expect(are()).toEqual([false, false, false, false, false])
})

test('[OIDC-5] of many addresses, the last ones are kept', () => {
  const pause = createExchangePause({ elapsed: () => 0 })
  for (let each = 0; each <= 10_000; each += 1) pause.begin(`10.0.${each >> 8}.${each & 255}`)
  expect([pause.isOn('10.0.0.0'), pause.isOn('10.0.39.16')]).toEqual([false, true])
})
