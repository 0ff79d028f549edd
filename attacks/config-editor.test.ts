/** Documents for the configuration editor that exhaust the parser, reach outside of the configuration, or make it run something. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { stopAll } from '../server/test/support/cleanups.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'

let service: InProcessService
beforeAll(async () => {
  service = await startService({
    config: { tls: { enabled: false } },
    env: { SERVICE_CAM_WORD: 'camera-word', SERVICE_PROXY_WORD: 'proxy-word', SERVICE_OTHER: 'other-word' },
  })
})
afterAll(stopAll)

interface Problem {
  readonly field: string
  readonly code: string
}

const yaml = { 'content-type': 'text/yaml', 'if-match': '*' }

async function problemsOf(text: string): Promise<Problem[]> {
  const { json, status } = await service.internal.post('/api/config/check', text, yaml)
  expect(status).toBe(200)
  return (json as { problems: Problem[] }).problems
}

/** Checks that a document is refused, and that nothing has changed. */
async function refuse(text: string): Promise<Problem[]> {
  const before = readFileSync(service.configFile, 'utf8')
  const saved = await service.internal.put('/api/config/raw', text, yaml)
  expect([saved.status, text.slice(0, 60)]).toEqual([400, text.slice(0, 60)])
  expect(readFileSync(service.configFile, 'utf8')).toBe(before)
  return problemsOf(text)
}

/** Milliseconds of CPU time, of the whole process. */
async function processorTime(work: () => void | Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const laughs = (depth: number): string =>
  Array.from(
    { length: depth },
    (_, at) =>
      `a${at}: &a${at} [${Array(9)
        .fill(at === 0 ? 'lol' : `*a${at - 1}`)
        .join()}]`,
  ).join('\n')

describe('[CONF-2] [ERR-3] a document that is expensive to read is refused, without delaying the others', () => {
  test.each<[source: string, what: string, text: string]>([
    ['CVE-2003-1564', 'aliases of aliases', `auth: { roles: { guard: [yard] } }\n${laughs(10)}\n`],
    ['CVE-2003-1564', 'aliases of aliases below a known key', `cameras:\n${laughs(10).replaceAll(/^/gm, '  ')}\n`],
    [
      'CVE-2003-1564',
      'aliases of a list of cameras',
      `x: &x [${Array(2500).fill('yard').join()}]\nauth:\n  roles:\n${Array.from({ length: 2500 }, (_, at) => `    r${at}: *x`).join('\n')}`,
    ],
    ['CVE-2026-33532', 'lists in lists', `a: ${'['.repeat(50_000)}`],
    ['CVE-2026-33532', 'complete lists in lists', `a: ${'['.repeat(25_000)}${']'.repeat(25_000)}`],
    ['CVE-2026-33532', 'tables in tables', `a: ${'{a: '.repeat(12_000)}1${'}'.repeat(12_000)}`],
    ['CVE-2026-33532', 'blocks in blocks', Array.from({ length: 1200 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')],
    ['CVE-2022-38750', 'lists of lists on one line', `a: ${'- '.repeat(5000)}x`],
    ['ASVS 2.4.1', 'unknown keys', Array.from({ length: 15_000 }, (_, at) => `key_${at}: 1`).join('\n')],
    ['ASVS 2.4.1', 'one key again and again', 'auth: {}\n'.repeat(15_000)],
    ['ASVS 2.4.1', 'keys of more than one line', '? a\n'.repeat(15_000)],
    ['ASVS 1.3.12', 'a very long word', `auth: { session_length: ${'x'.repeat(200_000)} }`],
    ['ASVS 1.3.12', 'a very long network', `auth: { trusted_proxies: ["${':'.repeat(200_000)}"] }`],
    ['ASVS 1.3.12', 'a very long limit', `auth: { failed_login_rate_limit: "${'1/minute;'.repeat(25_000)}x" }`],
    ['ASVS 1.3.12', 'a very long origin', `http: { allowed_origins: ["https://${'a.'.repeat(75_000)}/x"] }`],
    ['ASVS 1.3.12', 'a very long base path', `http: { base_path: "/${'a/'.repeat(75_000)}?" }`],
    ['ASVS 1.3.12', 'a very long list', `auth: { trusted_proxies: [${'x, '.repeat(25_000)}] }`],
    ['CVE-2024-32874', 'a very long name of a camera', `cameras: { ${'x'.repeat(120_000)}: { source: "demo:yard" } }`],
  ])('%s: %s', async (_source, _what, text) => {
    const bare = await processorTime(() => void parseDocument(text, { uniqueKeys: false, prettyErrors: false }))
    const ours = await processorTime(async () => {
      const { length } = await refuse(text)
      expect(length).toBeGreaterThan(0)
      expect(length).toBeLessThanOrEqual(201)
    })
    // Twice read: once to save it, once to check it. What we add to the parser's time stays in proportion.
    expect(ours).toBeLessThan(10 * bare + 500)
    expect((await service.gate.get('/api/health')).status).toBe(200)
  })
})

describe('[CONF-2] a document that says more than plain YAML is refused', () => {
  test.each<[source: string, text: string, code: string]>([
    ['GHSL-2023-190', 'auth: !!python/object/apply:os.system ["id"]', 'yaml-tag'],
    ['GHSL-2023-190', 'auth: !!js/function "() => 1"', 'yaml-tag'],
    ['GHSL-2023-190', 'auth: !ruby/object:Gem::Installer {}', 'yaml-tag'],
    ['GHSL-2023-190', 'cameras: !!set { yard }', 'yaml-tag'],
    ['GHSL-2023-190', 'auth: !<tag:yaml.org,2002:binary> aGk=', 'yaml-tag'],
    ['GHSL-2023-190', '%TAG ! tag:evil.example,2000:\n---\nauth: !x {}', 'yaml-tag'],
    ['CVE-2025-64718', 'x: &x { session_length: 1 }\nauth: { <<: *x }', 'unknown-key'],
    ['CVE-2025-64718', 'auth: { "<<": { enabled: false } }', 'unknown-key'],
    ['CVE-2025-64718', 'auth: { <<: { __proto__: { enabled: false } } }', 'unknown-key'],
    ['ASVS 15.3.6', '__proto__: { auth: { enabled: false } }', 'unknown-key'],
    ['ASVS 15.3.6', 'auth: { __proto__: { enabled: false } }', 'unknown-key'],
    ['ASVS 15.3.6', 'auth: { constructor: { prototype: { enabled: false } } }', 'unknown-key'],
    ['ASVS 15.3.6', 'auth: { roles: { __proto__: [yard] } }', 'reserved-word'],
    ['ASVS 15.3.6', 'auth: { roles: { constructor: [yard] } }', 'reserved-word'],
    ['ASVS 15.3.6', 'logger: { logs: { __proto__: loud } }', 'invalid-value'],
    ['ASVS 1.5.3', 'auth: { enabled: false }\n---\nauth: {}', 'second-document'],
    ['ASVS 1.5.3', 'auth: { enabled: true }\nauth: { enabled: false }', 'duplicate-key'],
    ['ASVS 1.5.3', 'auth: { enabled: true, "enabled": false }', 'duplicate-key'],
    ['ASVS 1.5.3', 'auth: { enabled: "no" }', 'invalid-value'],
    ['ASVS 1.5.3', 'auth: { enabled: no }', 'invalid-value'],
    ['ASVS 1.5.3', 'auth: { session_length: 1e999 }', 'invalid-value'],
    ['ASVS 1.5.3', 'auth: { session_length: .inf }', 'invalid-value'],
    ['ASVS 1.5.3', '? [auth]\n: {}', 'invalid-key'],
    ['ASVS 1.5.3', 'auth: &a { roles: *a }', 'unknown-key-meant'],
    ['ASVS 1.5.3', 'auth: { roles: *nothing }', 'unknown-alias'],
    ['RFC 8259 8.1', 'auth: "\u0007"', 'control-character-in-file'],
    ['RFC 8259 8.1', 'auth: "\0"', 'control-character-in-file'],
    ['YAML 1.2.2 5.1', '# \u009b2J, which clears a terminal\nauth: {}', 'control-character-in-file'],
    ['YAML 1.2.2 5.1', 'cameras: { yard: { source: demo:yard, title: "\u0098" } }', 'control-character-in-file'],
  ])('%s: %j', async (_source, text, code) => {
    const problems = await refuse(text)
    expect(problems.map((problem) => problem.code)).toContain(code)
    expect(({} as Record<string, unknown>)['auth']).toBeUndefined()
    expect((await service.internal.get('/api/users')).status).toBe(200)
  })

  test('CVE-2025-64718: nothing of it reaches the prototype of another object', () => {
    for (const name of ['enabled', 'auth', 'yard', 'polluted', 'session_length']) {
      expect(Object.getOwnPropertyDescriptor(Object.prototype, name)).toBeUndefined()
    }
  })
})

describe('[CONF-2] [SEC-5] a camera’s source that runs, reads or sends something else is refused, in every way to set it', () => {
  test.each<[source: string, what: string]>([
    ['CVE-2026-25643', 'exec:/bin/sh -c id'],
    ['CVE-2026-25643', 'exec:id'],
    ['CVE-2026-25643', 'ffmpeg:rtsp://127.0.0.1/x#input=file'],
    ['CVE-2026-25643', 'echo:{{ .Env }}'],
    ['CVE-2026-25643', 'expr:1'],
    ['CVE-2025-60787', '$(id)'],
    ['CVE-2025-60787', '`id`'],
    ['CVE-2025-47782', 'rtsp://127.0.0.1/x; id'],
    ['CVE-2025-47782', 'rtsp://127.0.0.1/x -f lavfi'],
    ['CVE-2025-47782', '-i /etc/passwd'],
    ['CVE-2025-47782', 'rtsp://127.0.0.1/x\n-vf movie=/etc/passwd'],
    ['CVE-2025-62382', '/etc/passwd'],
    ['CVE-2025-62382', 'file:/etc/passwd'],
    ['CVE-2025-62382', 'file:///etc/passwd'],
    ['CVE-2025-62382', 'file:../config/.jwt_secret'],
    ['CVE-2025-62382', '../config/config.yml'],
    ['CVE-2025-62382', 'a/../../config/config.yml'],
    ['CVE-2025-62382', './..'],
    ['CVE-2016-1897', 'concat:/etc/passwd'],
    ['CVE-2016-1897', 'subfile,,start,0,end,9,,:/etc/passwd'],
    ['CVE-2016-1898', 'data:text/plain,x'],
    ['CVE-2016-1898', 'pipe:0'],
    ['CVE-2016-1898', 'fd:3'],
    ['CVE-2016-1898', 'crypto:/etc/passwd'],
    ['CVE-2016-1898', 'async:file:/etc/passwd'],
    ['CVE-2016-1898', 'tcp://127.0.0.1:22'],
    ['CVE-2016-1898', 'gopher://127.0.0.1'],
    ['CVE-2016-1898', 'lavfi:testsrc'],
    ['CVE-2016-1898', 'rtmpe://127.0.0.1/x'],
    ['CVE-2016-1898', 'RTSP:\\\\127.0.0.1\\x'],
    ['ASVS 1.3.6', 'http:127.0.0.1'],
    ['ASVS 1.3.6', 'http://'],
    ['ASVS 1.3.6', 'http:///x'],
    ['ASVS 1.3.6', 'rtsp://user:pa/ss@127.0.0.1/x'],
    ['CVE-2021-42574', 'rtsp://127.0.0.1/\u202ex'],
    ['ASVS 13.3.1', 'http://{SERVICE_JWT_SECRET}@127.0.0.1/'],
    ['ASVS 13.3.1', 'http://{SERVICE_PROXY_WORD}@127.0.0.1/'],
    ['ASVS 13.3.1', 'http://{SERVICE_OTHER}@127.0.0.1/'],
    ['ASVS 13.3.1', 'http://{SERVICE_CAM_WORD}.evil.example/'],
    ['ASVS 13.3.1', 'http://127.0.0.1/{SERVICE_CAM_WORD}'],
    ['ASVS 13.3.1', 'http://u:{SERVICE_CAM_WORD@127.0.0.1/'],
    ['ASVS 13.3.1', 'http://u:{SERVICE_CAM_MISSING}@127.0.0.1/'],
  ])('%s: %j', async (_source, source) => {
    for (const camera of [{ source }, { source: 'demo:yard', motion: { detect_source: source } }]) {
      const problems = await refuse(JSON.stringify({ cameras: { evil: camera } }))
      expect(problems.map(({ field }) => field).join()).toMatch(/^cameras\.evil\.(?:source|motion\.detect_source)/)
    }
    const added = await service.internal.post('/api/cameras', { name: 'evil', source }, { 'if-match': '*' })
    expect(added.status).toBe(400)
    const tried = await service.internal.post('/api/cameras/test', { source })
    expect([tried.status, tried.json]).not.toMatchObject([200, { ok: true }])
    for (const { text } of [added, tried]) expect(text).not.toMatch(/camera-word|proxy-word|other-word|root:/)
  })
})

describe('[CONF-2] a value that would end up in a header, a cookie or a path is refused', () => {
  test.each<[source: string, text: string]>([
    ['RFC 6265 5.2', 'auth: { cookie_name: "a; Domain=evil.example" }'],
    ['RFC 6265 5.2', 'auth: { cookie_name: "a=b" }'],
    ['RFC 9110 5.5', 'auth: { cookie_name: "a\\r\\nX: y" }'],
    ['CVE-2021-29456', 'http: { base_path: "//evil.example/" }'],
    ['CVE-2021-29456', 'http: { base_path: "https://evil.example/" }'],
    ['CVE-2021-29456', 'http: { base_path: "/a/../b" }'],
    ['CVE-2023-45671', 'http: { base_path: "/\\"><script>" }'],
    ['CVE-2026-25119', 'proxy: { header_map: { user: "Cookie" } }'],
    ['CVE-2026-25119', 'proxy: { header_map: { user: "X-Proxy-Secret" } }'],
    ['CVE-2026-25119', 'proxy: { header_map: { user: "X-Forwarded-For" } }'],
    ['CVE-2025-64484', 'proxy: { header_map: { user: "X_Forwarded_User" } }'],
    ['ASVS 6.1.1', 'auth: { failed_login_rate_limit: "0/minute" }'],
    ['ASVS 6.1.1', 'auth: { failed_login_rate_limit: "-1/minute" }'],
    ['ASVS 7.3.1', 'auth: { session_length: -1 }'],
    ['ASVS 8.2.1', 'auth: { roles: { admin: [yard] } }'],
    ['ASVS 8.2.1', 'auth: { roles: { Viewer: [yard] } }'],
    ['ASVS 8.2.1', 'auth: { roles: { guard: [] } }'],
    ['GHSA-x2ch-x8hv-75xf', 'cameras: { "a/b": { source: "demo:yard" } }'],
    ['GHSA-x2ch-x8hv-75xf', 'cameras: { "..": { source: "demo:yard" } }'],
    ['GHSA-x2ch-x8hv-75xf', 'cameras: { "yard\\n": { source: "demo:yard" } }'],
    ['CVE-2026-97056', 'database: { url: "mysql://127.0.0.1/x" }'],
    ['CVE-2026-97056', 'database: { url: "file:/etc/passwd" }'],
  ])('%s: %s', async (_source, text) => {
    expect((await refuse(text)).length).toBeGreaterThan(0)
  })
})
