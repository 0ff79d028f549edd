import { expect, test } from 'vitest'
import { loadConfig, type LoadDeps } from './load-config.ts'
import { problemLines } from '../../config/problem-collector.ts'

const credentials = new Map([
  ['SERVICE_CAM_PASSWORD', 'p@ss/w:rd'],
  ['SERVICE_DATABASE_PASSWORD', 'p@ss/w:rd'],
  ['SERVICE_PROXY_SECRET', 'a long secret'],
  ['SERVICE_PROXY_BAD', 'line\nbreak'],
])
const parts: LoadDeps = {
  mediaDir: '/media',
  trustedHeaders: { names: new Set(['remote-user', 'remote-groups']), file: '/etc/trusted_headers.conf' },
  lookup: (name) => credentials.get(name),
}
const load = (text: string) => loadConfig(text, parts)
const problemsOf = (text: string): string[] => problemLines('config.yml', load(text).problems)
const configOf = (text: string) => {
  const { config, problems } = load(text)
  expect(problems).toEqual([])
  return config!
}

test.each([
  // the file                                                          its one problem
  [
    'auth: {session_length: soon}',
    'config.yml:1:24 auth.session_length: found "soon"; allowed: a whole number, 0 or more',
  ],
  ['auth: {session_length: -1}', 'config.yml:1:24 auth.session_length: found -1; allowed: a whole number, 0 or more'],
  ['auth: {session_length: 1.5}', 'config.yml:1:24 auth.session_length: found 1.5; allowed'],
  ['auth: {session_length: .inf}', 'config.yml:1:24 auth.session_length: found .inf; allowed'],
  ['auth: {session_length: "60"}', 'config.yml:1:24 auth.session_length: found "60"; allowed'],
  ['auth:\n  session_length:\n', 'config.yml:2:3 auth.session_length: is empty; allowed: a whole number'],
  ['auth: {enabled: yes}', 'config.yml:1:17 auth.enabled: found "yes"; allowed: `true` or `false`'],
  ['auth: {enabled: [true]}', 'auth.enabled: found a list; allowed: `true` or `false`'],
  ['auth: on', 'config.yml:1:7 auth: found "on"; allowed: a table of keys'],
  ['auth: [a]', 'config.yml:1:1 auth: found a list; allowed: a table of keys'],
  ['- auth', 'config.yml:1:1 found a list; allowed: a table of keys'],
  ['auth: {session_lenght: 5}', 'unknown key "session_lenght"; did you mean `auth.session_length`?'],
  ['auth: {trusted_proxy: []}', 'did you mean `auth.trusted_proxies`?'],
  ['session_length: 5', 'did you mean `auth.session_length`?'],
  ['auth: {default_role: viewer}', 'did you mean `proxy.default_role`?'],
  ['auth: {cookie_nam: "hunter2"}', 'did you mean `auth.cookie_name`?'],
  ['auth: {"a\\u001b[31m": 1}', 'auth."a\\u001b[31m": unknown key "a\\u001b[31m"'],
  ['1: {}', 'config.yml:1:1 1: unknown key "1"'],
  ['__proto__: {}', 'unknown key "__proto__"'],
  ['auth: {constructor: 1}', 'unknown key "constructor"'],
  ['<<: {auth: {}}', 'unknown key "<<"'],
  ['[a]: 1', 'a key must be a plain name'],
  ['auth: {}\nauth: {}', 'config.yml:2:1 duplicate key `auth`; it is already set in line 1'],
  ['auth: {roles: {1: [a], "1": [b]}}', 'duplicate key `1`'],
  ['auth: {session_length: !!int "5"', 'invalid YAML'],
  ['auth: !custom {}', 'config.yml:1:7 invalid YAML: tags (`!…`) are not allowed'],
  ['%YAML 1.1\n---\nauth: {enabled: yes}', 'auth.enabled: found "yes"'],
  ['auth: *nowhere', 'refers to an unknown anchor (`*…`)'],
  ['auth:\n\tenabled: true', 'config.yml:2:1 invalid YAML: Tabs are not allowed as indentation'],
  ['--- {}\n--- {}', 'config.yml:2:1 invalid YAML: a second document begins here'],
  ['auth: {cookie_name: "a\u0000b"}', 'config.yml:1:23 a control character; allowed: text'],
  ['networking: {gate: {port: 65536}}', 'networking.gate.port: found 65536; allowed: a whole number from 0 to 65535'],
  ['networking: {internal: {port: 8971}}', 'networking.internal.port: is 8971, the port of the gate'],
  ['networking: {gate: {host: "a b"}}', 'networking.gate.host: found "a b"; allowed: an IP address or a host name'],
  ['networking: {gate: {host: 10.0.0.256}}', 'networking.gate.host: found "10.0.0.256"'],
  ['networking: {internal: {allowed_hosts: ["a:80"]}}', 'networking.internal.allowed_hosts[0]: found "a:80"'],
  ['tls: {cert_file: a.pem}', 'tls.cert_file: stands alone; give `tls.key_file` as well'],
  ['tls: {key_file: a.pem}', 'tls.key_file: stands alone; give `tls.cert_file` as well'],
  ['http: {base_path: nvr}', 'http.base_path: found "nvr"'],
  ['http: {base_path: /a/../b}', 'http.base_path: found "/a/../b"'],
  ['http: {base_path: //a}', 'http.base_path: found "//a"'],
  ['http: {base_path: "/a;b"}', 'http.base_path: found "/a;b"'],
  ['http: {hsts_seconds: -1}', 'http.hsts_seconds: found -1; allowed: a whole number, 0 or more, or null'],
  ['http: {frame_ancestors: ["\'self\'; script-src *"]}', 'http.frame_ancestors[0]: found "\'self\'; script-src *"'],
  ['http: {frame_ancestors: []}', 'http.frame_ancestors: found an empty list'],
  ['http: {allowed_origins: [home.example]}', 'http.allowed_origins[0]: found "home.example"'],
  ['http: {allowed_origins: ["https://home.example/x"]}', 'http.allowed_origins[0]'],
  ['http: {allowed_origins: ["null"]}', 'http.allowed_origins[0]: found "null"'],
  ['auth: {cookie_name: "a b"}', 'auth.cookie_name: found "a b"; allowed: 1 to 64'],
  ['auth: {cookie_name: __Host-a}\nhttp: {base_path: /x}', 'auth.cookie_name: begins with `__Host-`'],
  ['auth: {cookie_same_site: Lax}', 'auth.cookie_same_site: found "Lax"; allowed: one of `lax`, `strict`, `none`'],
  ['auth: {session_max_length: 0}', 'auth.session_max_length: found 0'],
  ['auth: {failed_login_rate_limit: "5/minute;many/hour"}', 'auth.failed_login_rate_limit: found "many/hour"'],
  ['auth: {failed_login_rate_limit: 0/minute}', 'found "0/minute"'],
  ['auth: {failed_login_rate_limit: 5/day}', 'found "5/day"'],
  ['auth: {failed_login_rate_limit: ""}', 'found ""'],
  ['auth:\n  failed_login_rate_limit:\n', 'auth.failed_login_rate_limit: is empty'],
  ['auth: {trusted_proxies: [10.0.0.0/33]}', 'config.yml:1:26 auth.trusted_proxies[0]: "10.0.0.0/33"'],
  ['auth: {trusted_proxies: [proxy.lan]}', 'auth.trusted_proxies[0]: "proxy.lan" is no network range'],
  ['auth: {trusted_proxies: ["::ffff:10.0.0.0/8"]}', 'auth.trusted_proxies[0]: "::ffff:10.0.0.0/8"'],
  ['auth: {trusted_proxies: 10.0.0.0/8}', 'auth.trusted_proxies: found "10.0.0.0/8"; allowed: a list'],
  ['proxy: {trusted_peers: []}', 'proxy.trusted_peers: found an empty list; allowed: a list of at least one'],
  ['proxy: {trusted_peers: [x]}', 'proxy.trusted_peers[0]: "x" is no network range'],
  ['proxy: {auth_secret: ""}', 'proxy.auth_secret: found a text; allowed: a text of printable ASCII'],
  ['proxy:\n  auth_secret:\n', 'proxy.auth_secret: is empty'],
  ['proxy: {auth_secret: "{SERVICE_PROXY_NONE}"}', "proxy.auth_secret: `{SERVICE_PROXY_NONE}` can't be resolved"],
  ['proxy: {auth_secret: "{SERVICE_PROXY_BAD}"}', 'proxy.auth_secret: allowed: printable ASCII'],
  ['proxy: {separator: ""}', 'proxy.separator: found an empty text; allowed: a text that is not empty'],
  ['proxy: {separator: "\\n"}', 'proxy.separator: contains a control character'],
  [
    'proxy: {default_role: Viewer}',
    'proxy.default_role: the role "Viewer" does not exist; the roles are `admin`, `viewer`',
  ],
  ['proxy: {header_map: {role_map: {ghost: [a]}}}', 'proxy.header_map.role_map.ghost: the role "ghost" does not exist'],
  ['proxy: {header_map: {role_map: {__proto__: [a]}}}', 'the role "__proto__" does not exist'],
  [
    'proxy: {header_map: {user: X-Foo}}',
    'the header "X-Foo" is not trusted. /etc/trusted_headers.conf lists the trusted headers; to trust another, mount your own list over that file',
  ],
  ['proxy: {header_map: {role: remote_user}}', '"remote_user" is not a valid header name'],
  ['proxy: {header_map: {role: remote.user}}', '"remote.user" is not a valid header name'],
  ['proxy: {logout_url: "javascript:alert(1)"}', 'proxy.logout_url: found "javascript:alert(1)"'],
  ['logout_url: //evil.example', 'logout_url: found "//evil.example"'],
  ['logout_url: "/\\\\evil.example"', 'logout_url: found "/\\\\evil.example"'],
  ['database: {url: mysql://user:hunter2@db}', 'database.url: allowed: `sqlite`, or `postgres://'],
  ['recording: {max_gb: 0}', 'recording.max_gb: found 0; allowed: a number above 0'],
  ['logger: {default: loud}', 'logger.default: found "loud"; allowed: one of `debug`, `info`, `warn`, `error`'],
  ['logger: {logs: {service.api.auth: trace}}', 'logger.logs."service.api.auth": found "trace"'],
  ['audit: {retain_days: 0}', 'audit.retain_days: found 0'],
  ['cameras: {yard: {}}', 'cameras.yard.source: is missing'],
  ['cameras: {yard: demo:yard}', 'cameras.yard: found a text; allowed: a table of keys'],
  ['cameras: {a b: {source: demo:yard}}', 'the camera name "a b" is not 1 to 64'],
  ['cameras: {"../x": {source: demo:yard}}', 'the camera name "../x" is not 1 to 64'],
  ['cameras: {yard: {source: "exec:rm"}}', 'cameras.yard.source: has a protocol that is not allowed'],
  ['cameras: {yard: {source: demo:yard, tittle: x}}', 'did you mean `cameras.yard.title`?'],
])('[CONF-2] %j: %s', (text, problem) => {
  const found = problemsOf(text)
  expect(found).toHaveLength(1)
  expect(found[0]).toContain(problem)
})

test.each([
  // roles                          problem
  ['{admin: [yard]}', 'the role name "admin" is the name of a built-in role'],
  ['{VIEWER: [yard]}', 'is the name of a built-in role'],
  ['{__proto__: [yard]}', 'is a reserved word'],
  ['{Constructor: [yard]}', 'is a reserved word'],
  ['{prototype: [yard]}', 'is a reserved word'],
  ['{guard: [yard], Guard: [door]}', 'differs from the role "guard" only in case'],
  ['{a-b: [yard]}', 'must be 1 to 64 letters, digits'],
  ['{"": [yard]}', 'must be 1 to 64 letters, digits'],
  ['{_: [yard]}', 'must contain a letter or digit'],
  ['{guard: []}', 'found an empty list; allowed: a list of at least one camera'],
  ['{guard: yard}', 'found "yard"; allowed: a list of at least one camera'],
  ['{guard: null}', 'found null; allowed: a list of at least one camera'],
  ['{guard: }', 'is empty; allowed: a list of at least one camera'],
  ['{guard: [5]}', 'found 5; allowed: a text (put it in quotes)'],
])('[ROLE-9] roles %s: %s', (roles, problem) => {
  const found = problemsOf(`auth: {roles: ${roles}}`)
  expect(found).toHaveLength(1)
  expect(found[0]).toContain(problem)
})

test('[CONF-2] all problems are reported together, in the order of the file', () => {
  const found = problemsOf('logger: {default: loud}\nauth:\n  session_lenght: 5\n  roles: {admin: [a]}\ntls: 7\n')
  expect(found.map((line) => line.split(' ')[0])).toEqual([
    'config.yml:1:19',
    'config.yml:3:3',
    'config.yml:4:11',
    'config.yml:5:6',
  ])
})

test.each([
  'proxy: {auth_secret: [hunter2]}',
  'proxy: {auth_secret: hunter2',
  'proxy:\n  auth_secret: "hunter2" hunter2\n',
  'proxy:\n  auth_secret: |hunter2\n',
  'proxy: {auth_secret: " hunter2"}',
  'proxy: {auth_sekret: hunter2}',
  'database: {url: "mysql://u:hunter2@db"}',
  'cameras: {a: {source: "exec:hunter2"}}',
  'cameras: {a: {source: "rtsp://u:hunter2@"}}',
  'cameras: {a: {source: "rtsp://u:hunter2@h h"}}',
  'cameras: {a: {source: "demo:hunter2"}}',
  'cameras: {a: {source: "/hunter2"}}',
  'cameras: {a: {source: ["rtsp://u:hunter2@h"]}}',
  // a scalar or a list where a section is expected
  'cameras: {yard: rtsp://u:hunter2@h/s}',
  'cameras: rtsp://u:hunter2@h/s',
  'cameras: [rtsp://u:hunter2@h/s]',
  'cameras: {yard: [rtsp://u:hunter2@h/s]}',
  'cameras: {yard: {source: {rtsp://u:hunter2@h/s: 1}}}',
  'cameras: {yard: {source: demo:yard, motion: rtsp://u:hunter2@h/s}}',
  'cameras: {yard: {source: demo:yard, motion: hunter2}}',
  'cameras: {yard: {source: demo:yard, record: {mode: hunter2}}}',
  'cameras: {yard: {source: demo:yard, enabled: hunter2}}',
  'cameras: {yard: hunter2}',
  'database: postgres://u:hunter2@db/x',
  'database: hunter2',
  'database: [postgres://u:hunter2@db/x]',
  'database: {url: [postgres://u:hunter2@db/x]}',
  'proxy: hunter2',
  'proxy: [hunter2]',
  'proxy: {header_map: hunter2}',
  'proxy: {header_map: {role_map: hunter2}}',
  'proxy: {header_map: {role_map: {auth_secret: hunter2}}}',
  'proxy: {header_map: {user: hunter2}}',
  'proxy: {header_map: {role: "hunter2!"}}',
  'proxy: {default_role: hunter2}',
  'proxy: {trusted_peers: hunter2}',
  'proxy: {trusted_peers: [hunter2]}',
  'proxy: {logout_url: hunter2}',
  'proxy: {separator: [hunter2]}',
  'hunter2',
  '- rtsp://u:hunter2@h/s',
  'rtsp://u:hunter2@h/s',
  // a secret as a key
  'database: {postgres://u:hunter2@db: 1}',
  'database: {hunter2: 1}',
  'proxy: {hunter2: 1}',
  'proxy: {auth_secret: a, "hunter2!": }',
  'proxy: {header_map: {hunter2: x}}',
  'proxy: {hunter2: 1, hunter2: 2}',
  'hunter2: 1',
  '"rtsp://u:hunter2@h": 1',
  'auth: {"rtsp://u:hunter2@h": 1}',
  'auth: {roles: {"rtsp://u:hunter2@h": [yard]}}',
  'cameras: {"rtsp://u:hunter2@h": }',
  'cameras: {yard: {source: rtsp://u:pa,hunter2@h/s}}',
  'cameras: {yard: {rtsp://u:hunter2@h/s}}',
  'cameras: {"hunter2!": {source: demo:yard}}',
  '{rtsp://u:hunter2@h: 1, rtsp://u:hunter2@h: 2}',
  // wrong indentation, or the wrong key
  'cameras:\n  yard:\n  source: rtsp://u:hunter2@h/s',
  'cameras:\nyard:\n  source: rtsp://u:hunter2@h/s',
  'cameras:\n  yard:\n    source: demo:yard\n    record:\n      source: rtsp://u:hunter2@h/s\n      enabled: hunter2',
  'proxy:\nauth_secret: hunter2',
  'auth: {auth_secret: hunter2}',
  'auth: {trusted_proxies: ["http://u:hunter2@h"]}',
  'auth: {trusted_proxies: "http://u:hunter2@h"}',
  'auth: {failed_login_rate_limit: "http://u:hunter2@h"}',
  'auth: {cookie_name: "rtsp://u:hunter2@h"}',
  'auth: {enabled: "rtsp://u:hunter2@h"}',
  'auth: {session_length: u:hunter2@h}',
  'logger: {default: "postgres://u:hunter2@h"}',
  'logger: {logs: {"rtsp://u:hunter2@h": loud}}',
  'logger: {logs: {service.http: "rtsp://u:hunter2@h"}}',
  'logout_url: "ftp://u:hunter2@h"',
  'networking: {gate: {host: "u:hunter2@h"}}',
  'http: {allowed_origins: ["https://u:hunter2@h"]}',
  'tls: rtsp://u:hunter2@h',
  // no YAML
  'proxy: {auth_secret: "\\hunter2"}',
  'proxy: {auth_secret: @hunter2}',
  'proxy: {auth_secret: `hunter2}',
  'proxy:\n  auth_secret: %hunter2',
  '%hunter2\n---\nauth: {}',
  'proxy: {auth_secret: !hunter2 x}',
  'proxy: {auth_secret: !<hunter2> x}',
  'proxy: {auth_secret: *hunter2}',
  'proxy: {auth_secret: &hunter2 [x]}',
  'proxy: &hunter2 hunter2',
  'proxy:\n  auth_secret: a\n hunter2\n',
  'proxy:\n  auth_secret: hunter2: x\n',
  'proxy:\n  auth_secret: "hunter2\n',
  "proxy:\n  auth_secret: 'hunter2\n",
  'proxy:\n  auth_secret: >hunter2\n',
  'proxy:\n\tauth_secret: hunter2\n',
  'proxy: {auth_secret: hunter2}}',
  'proxy: {auth_secret: [hunter2}',
  'proxy: {auth_secret: hunter2} hunter2',
  'proxy: {auth_secret: hunter2}\n---\nhunter2: 1',
  '? hunter2\n: [x]\nproxy: 1',
  '? [hunter2]\n: 1',
  'proxy: {auth_secret: "{SERVICE_hunter2-}"}',
])('[CONF-3] the problem of %j does not quote the secret', (text) => {
  const { problems, warnings } = load(text)
  expect(problems.length).toBeGreaterThan(0)
  expect(JSON.stringify([problems, warnings])).not.toContain('hunter2')
  expect(problemsOf(text).join('\n')).not.toContain('hunter2')
})

test('[CONF-3] placeholders are filled; among the credentials and in the query, percent-encoded', () => {
  const { cameras, proxy, database } = configOf(`
proxy: {auth_secret: "{SERVICE_PROXY_SECRET}"}
database: {url: "postgres://u:{SERVICE_DATABASE_PASSWORD}@db/x"}
cameras: {yard: {source: "rtsp://u:{SERVICE_CAM_PASSWORD}@192.0.2.7/a?key={SERVICE_CAM_PASSWORD}"}}
`)
  expect(proxy.auth_secret).toBe('a long secret')
  expect(database.url).toBe('postgres://u:p%40ss%2Fw%3Ard@db/x')
  expect(cameras.get('yard')?.source).toBe('rtsp://u:p%40ss%2Fw%3Ard@192.0.2.7/a?key=p%40ss%2Fw%3Ard')
})

test.each(['', '# nothing\n', '---\n', '{}', 'null'])('%j is blank, and all defaults', (text) => {
  const { config, blank } = load(text)
  expect(blank).toBe(true)
  expect(config?.auth).toEqual({
    enabled: true,
    reset_admin_password: false,
    session_length: 86_400,
    session_max_length: null,
    failed_login_rate_limit: '10/minute;60/hour',
    trusted_proxies: [],
    cookie_name: 'gatehouse_token',
    cookie_same_site: 'lax',
    roles: new Map(),
  })
  expect(config?.networking.gate).toEqual({ host: '::', port: 8971 })
  expect(config?.networking.internal).toEqual({ host: '127.0.0.1', port: 5000, allowed_hosts: [] })
})

test.each([
  ['', ['yard', 'door', 'office']],
  ['auth: {}', ['yard', 'door', 'office']],
  ['cameras:\n', ['yard', 'door', 'office']],
  ['cameras: {}', []],
  ['cameras: {hall: {source: demo:door}}', ['hall']],
])('%j has the cameras %j', (text, names) => {
  expect([...configOf(text).cameras.keys()]).toEqual(names)
})

test('sections left empty hold their defaults, and so do lists', () => {
  const { auth, proxy } = configOf('auth:\n  trusted_proxies:\n  roles:\nproxy:\n  header_map:\n')
  expect(auth.trusted_proxies).toEqual([])
  expect(proxy.header_map).toEqual({ user: null, role: null, role_map: new Map() })
})

test('[PROXY-7] roles keep the order of the file, whatever their names', () => {
  const { auth } = configOf(
    'auth: {roles: {zoo: [yard], 2: [yard], 1: [door], "007": [yard], true: [yard], 1.10: [yard]}}',
  )
  expect([...auth.roles.keys()]).toEqual(['zoo', '2', '1', '007', 'true', '1.10'])
})

test('[RATE-5] a limit of null is none', () => {
  expect(configOf('auth: {failed_login_rate_limit: null}').auth.failed_login_rate_limit).toBeNull()
})

test('[PROXY-4] an empty role map counts as none, and header names are compared without case', () => {
  const { proxy } = configOf('proxy: {header_map: {user: Remote-User, role: REMOTE-GROUPS, role_map: {}}}')
  expect(proxy.header_map).toEqual({ user: 'remote-user', role: 'remote-groups', role_map: new Map() })
})

test.each([
  ['/', '/'],
  ['/nvr', '/nvr/'],
  ['/a/b.c/', '/a/b.c/'],
])('base path %s is %s', (given, path) => {
  expect(configOf(`http: {base_path: ${given}}`).http.base_path).toBe(path)
})

test('[ROLE-9] a camera that no role can see is warned of, and is no problem', () => {
  const { config, warnings } = load('auth:\n  roles:\n    guard: [yard, attic]\n    all: ["*"]\n')
  expect(config).toBeDefined()
  expect(problemLines('config.yml', warnings)).toEqual([
    'config.yml:3:19 auth.roles.guard[1]: unknown camera "attic"; the role does not grant it',
    expect.stringContaining('auth.roles.all: there is no wildcard for all cameras'),
    'config.yml:4:11 auth.roles.all[0]: unknown camera "*"; the role does not grant it',
  ])
})

test('[CONF-4] an alias is the last node of its name before it, and thousands of them are read in one pass', () => {
  const four = configOf('auth:\n  roles:\n    a: &x [yard]\n    b: *x\n    c: &x [door]\n    d: *x\n').auth.roles
  expect([...four]).toEqual([
    ['a', ['yard']],
    ['b', ['yard']],
    ['c', ['door']],
    ['d', ['door']],
  ])
  const names = Array.from({ length: 20_000 }, (_, index) => `    r${index}: *a`)
  const { roles } = configOf(['auth:\n  roles:\n    a: &a [yard]', ...names].join('\n')).auth
  expect([roles.size, roles.get('r19999')]).toEqual([20_001, ['yard']])
})

test('aliases work, and a bomb of them is a problem', () => {
  expect(configOf('auth: {roles: {a: &cams [yard, door], b: *cams}}').auth.roles.get('b')).toEqual(['yard', 'door'])
  const many = Array.from({ length: 1000 }, (_, index) => `c${index}`).join(', ')
  const roles = Array.from({ length: 1000 }, (_, index) => `r${index}: *cams`).join(', ')
  expect(problemsOf(`auth: {roles: {a: &cams [${many}], ${roles}}}`)[0]).toContain('repeats too many')
  expect(problemsOf('auth: &a {roles: {x: *a}}')).toHaveLength(1)
})
