import { expect, test } from 'vitest'
import { logSecurityWarnings } from './security-warnings.ts'

test.each([
  ['127.0.0.1', 0],
  ['127.0.0.2', 0],
  ['::1', 0],
  ['localhost', 0],
  ['0.0.0.0', 2],
  ['::', 2],
  ['192.0.2.7', 2],
  ['127.lan', 2],
  ['127.0.0.1.lan', 2],
])('[PORT-6] ports that listen on %s cause %i warnings', (host, count) => {
  const warnings: unknown[] = []
  const address = { host, port: 1 }
  const config = {
    networking: { internal: address, gate: address },
    tls: { enabled: false },
    proxy: { enabled: false },
    auth: { enabled: true },
  } as unknown as Parameters<typeof logSecurityWarnings>[0]
  logSecurityWarnings(config, { warn: (fields) => void warnings.push(fields) })
  expect(warnings).toHaveLength(count)
})
