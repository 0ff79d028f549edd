/** Compression: none of what is secret beside what a client chooses (BREACH), and nothing that a client compressed is unpacked. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessRows } from '../server/test/support/access-oracle.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { rawRequest } from '../server/test/support/raw-request.ts'
import { password } from '../server/test/support/sign-in.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'

let service: InProcessService
let admin: TestClient
beforeAll(async () => {
  service = await startService({ config: { tls: { enabled: false }, auth: { failed_login_rate_limit: null } } })
  admin = await service.user('boss', 'admin')
})
afterAll(stopAll)

const every = 'Accept-Encoding: gzip, br, deflate, zstd, identity;q=0, *'

describe('[ERR-1] no response of the API is compressed', () => {
  test.each([
    ['CVE-2013-3587', every],
    ['CVE-2013-3587', 'Accept-Encoding: gzip'],
    ['RFC 9110 10.1.4', 'TE: gzip, trailers'],
  ])('%s: whatever the route, with %s', async (_source, header) => {
    const compressed: string[] = []
    for (const { method, path } of accessRows) {
      if (method !== 'GET' || path.endsWith('/logout')) continue
      const target = path.replace(':camera', 'yard').replaceAll(/:\w+/g, '1')
      const { head } = await rawRequest(admin, { target, headers: [header], headOnly: true })
      const found = /^(?:content-encoding|transfer-encoding: .*(?:gzip|deflate)).*$/im.exec(head)
      if (found) compressed.push(`${target}: ${found[0]}`)
    }
    expect(compressed).toEqual([])
  })

  test('CVE-2013-3587: a page or an error that quotes the request is not compressed either', async () => {
    for (const target of ['/?x=gatehouse_token', '/api/nothing?x=gatehouse_token', '/api//x', '/api/audit?limit=x']) {
      const { head } = await rawRequest(admin, { target, headers: [every] })
      expect(head).not.toMatch(/^content-encoding/im)
    }
  })
})

describe('[ERR-3] a compressed body is not unpacked', () => {
  const zeros = Buffer.alloc(50 * 1024 * 1024)
  const credentials = Buffer.from(JSON.stringify({ user: 'boss', password }))
  test.each<[source: string, encoding: string, pack: (data: Buffer) => Buffer]>([
    ['CVE-2022-36114', 'gzip', gzipSync],
    ['CVE-2022-36114', 'deflate', deflateSync],
    ['CVE-2022-36114', 'br', (data) => brotliCompressSync(data, { params: { 1: 1 } })],
    ['CVE-2022-36114', 'gzip, gzip', (data) => gzipSync(gzipSync(data))],
  ])('%s: %s', async (_source, encoding, pack) => {
    const before = process.memoryUsage.rss()
    for (const [method, path, type] of [
      ['POST', '/api/login', 'application/json'],
      ['PUT', '/api/config/raw', 'text/yaml'],
      ['POST', '/api/config/check', 'text/yaml'],
    ] as const) {
      for (const data of [zeros, credentials]) {
        const headers = { 'content-type': type, 'content-encoding': encoding, 'if-match': '*' }
        const response = await admin.request(method, path, { headers, body: pack(data) })
        // Read as it is, it isn't UTF-8.
        expect([path, response.status]).toEqual([path, 400])
        expect(response.cookies).toEqual([])
      }
    }
    expect(process.memoryUsage.rss() - before).toBeLessThan(zeros.length * 4)
  })
})
