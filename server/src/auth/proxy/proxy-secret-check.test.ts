import { expect, test } from 'vitest'
import { isProxyUnguarded, keepProxyGuard } from './proxy-guard.ts'
import type { ProxyConfig } from '../config/proxy.config.ts'
import { createProxySecretCheck } from './proxy-secret-check.ts'

const secret = 'a secret that the proxy shares'
/** As long as a secret must be that no one can guess. */
const longSecret = 'x'.repeat(32)

function check(shared = secret) {
  let now = 0
  const wrong: string[] = []
  const peers: string[] = []
  const { check: result } = createProxySecretCheck({
    limits: () => [{ count: 2, seconds: 60 }],
    addressOf: ({ values }) => values('x-forwarded-for')[0] ?? '',
    isNamed(peer) {
      peers.push(peer)
      return peer === '192.0.2.9'
    },
    onWrong: (address) => void wrong.push(address),
    clock: { elapsed: () => now },
  })
  return {
    wrong,
    peers,
    pass: (milliseconds: number) => void (now += milliseconds),
    send: (sent: string | readonly string[], from = '198.51.100.1', peer = '192.0.2.1') =>
      result(
        {
          peer,
          encrypted: true,
          values: (name) =>
            [(name === 'x-proxy-secret' ? sent : name === 'x-forwarded-for' ? from : undefined) ?? []].flat(),
        },
        shared,
      ),
  }
}

test('[PROXY-2] a secret is right, wrong, or not sent', () => {
  const { send, wrong } = check()
  expect([send(secret), send([]), send(''), send(['', '']), send('guess')]).toEqual([
    'right',
    'none',
    'none',
    'none',
    'wrong',
  ])
  expect(send(['', 'guess'])).toBe('wrong')
  expect(wrong).toEqual(['198.51.100.1', '198.51.100.1'])
})

test('[PROXY-19] beyond the limit, the secrets of an address are no longer checked', () => {
  const { send, wrong, pass } = check()
  expect([send('guess'), send('guess')]).toEqual(['wrong', 'wrong'])
  expect(send('guess')).toEqual({ retryAfter: 60 })
  expect(send(secret)).toEqual({ retryAfter: 60 })
  expect(send([])).toBe('none')
  expect(send('guess', '198.51.100.2')).toBe('wrong')
  expect(wrong).toHaveLength(5)
  pass(59_999)
  expect(send(secret)).toEqual({ retryAfter: 1 })
  pass(1)
  expect(send(secret)).toBe('right')
})

test('[PROXY-2] a secret that no one can guess is always compared, whatever was sent before', () => {
  const { send, wrong } = check(longSecret)
  expect(Array.from({ length: 5 }, () => send('guess'))).toEqual(Array<string>(5).fill('wrong'))
  expect([send(longSecret), send('guess'), send(longSecret.slice(1))]).toEqual(['right', 'wrong', 'wrong'])
  expect(wrong).toHaveLength(7)
  const shorter = check(longSecret.slice(1))
  expect([shorter.send('guess'), shorter.send('guess')]).toEqual(['wrong', 'wrong'])
  expect(shorter.send(longSecret.slice(1))).toEqual({ retryAfter: 60 })
})

test('[PROXY-19] guesses cannot lock out a peer that has sent the right secret, or that the configuration names', () => {
  const { send, wrong } = check()
  for (const peer of ['192.0.2.1', '192.0.2.9']) {
    const from = `${peer}0`
    if (peer === '192.0.2.1') expect(send(secret, from, `::ffff:${peer}`)).toBe('right')
    expect([send('guess', from, peer), send('guess', from, peer)]).toEqual(['wrong', 'wrong'])
    expect(send('guess', from, peer)).toEqual({ retryAfter: 60 })
    expect(send(secret, from, peer)).toBe('right')
  }
  expect(wrong).toHaveLength(6)
})

test('[PROXY-19] a peer without an address is limited like any other', () => {
  const { send, peers } = check()
  for (const result of ['wrong', 'wrong', { retryAfter: 60 }]) expect(send('guess', '', '')).toEqual(result)
  expect(peers).toEqual([''])
})

const sections = (enabled: boolean, auth_secret: string | null, trusted_peers: readonly string[] | null) => ({
  auth: { enabled },
  proxy: { auth_secret, trusted_peers } as unknown as ProxyConfig,
})
const unguarded = sections(false, null, null)

test('[PROXY-2] a proxy that signs users in needs a secret or a peer', () => {
  const all = [
    unguarded,
    sections(true, null, null),
    sections(false, secret, null),
    sections(false, null, ['192.0.2.9']),
  ]
  expect(all.map(isProxyUnguarded)).toEqual([true, false, false, false])
})

test('[PROXY-2] a running service keeps its last proof of the proxy', () => {
  const active = sections(false, secret, ['192.0.2.9'])
  expect(keepProxyGuard(active, unguarded).proxy).toMatchObject({ auth_secret: secret, trusted_peers: ['192.0.2.9'] })
  const other = sections(false, 'another', null)
  expect(keepProxyGuard(active, other)).toBe(other)
  expect(keepProxyGuard(unguarded, unguarded)).toBe(unguarded)
})
