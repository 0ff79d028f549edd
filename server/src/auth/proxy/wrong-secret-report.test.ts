import { expect, test } from 'vitest'
import type { AuditEntry } from '../../shared/audit/audit.ts'
import { reportWrongSecrets } from './wrong-secret-report.ts'

function reporter() {
  let now = 1
  const recorded: AuditEntry[] = []
  const logged: unknown[] = []
  const report = reportWrongSecrets(
    { record: (entry) => void recorded.push(entry) },
    { warn: ({ address }: { address?: unknown }) => void logged.push(address) },
    { elapsed: () => now },
  )
  return { report, recorded, logged, pass: (milliseconds: number) => void (now += milliseconds) }
}

test('[PROXY-19] each wrong secret is in the audit log, without its value', () => {
  const { report, recorded } = reporter()
  report('192.0.2.1')
  report('192.0.2.1')
  const entry = {
    action: 'request.denied',
    result: 'denied',
    user: null,
    auth_method: null,
    address: '192.0.2.1',
    target: 'X-Proxy-Secret',
    detail: 'proxy-secret-required',
  }
  expect(recorded).toEqual([entry, entry])
})

test('[PROXY-19] an address is logged once a minute, an IPv6 network too', () => {
  const { report, logged, pass } = reporter()
  const all = ['192.0.2.1', '192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2']
  const each = ['192.0.2.1', '192.0.2.2', '2001:db8::1']
  for (const address of all) report(address)
  expect(logged.splice(0)).toEqual(each)
  pass(60_000)
  for (const address of all) report(address)
  expect(logged.splice(0)).toEqual([])
  pass(1)
  for (const address of all) report(address)
  expect(logged).toEqual(each)
})

test('[PROXY-19] at most 30 addresses are logged in a minute', () => {
  const { report, logged, pass } = reporter()
  const addresses = Array.from({ length: 32 }, (_, at) => `192.0.2.${at + 1}`)
  for (const address of addresses) report(address)
  expect(logged.splice(0)).toEqual(addresses.slice(0, 30))
  pass(60_001)
  report('192.0.2.32')
  expect(logged).toEqual(['192.0.2.32'])
})
