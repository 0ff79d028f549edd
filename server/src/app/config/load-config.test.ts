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
  ['auth: {session_length: soon}', 'config.yml:1:24 auth.session_length: Invalid value "soon".'],
  [
    'auth: {session_length: -1}',
    'config.yml:1:24 auth.session_length: Invalid value -1. Allowed: an integer from 0 to 1000000000000.',
  ],
  [
    'auth: {session_length: 9999999999999}',
    'config.yml:1:24 auth.session_length: Invalid value 9999999999999. Allowed: an integer from 0 to 1000000000000.',
  ],
  [
    'auth: {session_length: 1.5}',
    'config.yml:1:24 auth.session_length: Invalid value 1.5. Allowed: an integer from 0 to 1000000000000.',
  ],
  [
    'auth: {session_length: .inf}',
    'config.yml:1:24 auth.session_length: Invalid value .inf. Allowed: an integer from 0 to 1000000000000.',
  ],
  [
    'auth: {session_length: "60"}',
    'config.yml:1:24 auth.session_length: Invalid value "60". Allowed: an integer from 0 to 1000000000000.',
  ],
  ['auth:\n  session_length:\n', 'config.yml:2:3 auth.session_length: Empty.'],
  ['auth: {enabled: yes}', 'config.yml:1:17 auth.enabled: Invalid value "yes". Allowed: true or false.'],
  ['auth: {enabled: [true]}', 'auth.enabled: Found a list. Allowed: true or false.'],
  ['tls: on', 'config.yml:1:6 tls: Invalid value "on". Allowed: a map of keys.'],
  ['auth: on', 'config.yml:1:7 auth: Found text. Allowed: a map of keys.'],
  ['auth: [a]', 'config.yml:1:1 auth: Found a list. Allowed: a map of keys.'],
  ['- auth', 'config.yml:1:1 Found a list. Allowed: a map of keys.'],
  ['auth: {session_lenght: 5}', 'auth.session_lenght: Unknown key "session_lenght". Did you mean auth.session_length?'],
  ['auth: {trusted_proxy: []}', 'auth.trusted_proxy: Unknown key "trusted_proxy". Did you mean auth.trusted_proxies?'],
  ['session_length: 5', 'session_length: Unknown key "session_length". Did you mean auth.session_length?'],
  [
    'auth: {default_role: viewer}',
    'auth.default_role: Unknown key "default_role". Did you mean auth.oidc.default_role or proxy.default_role?',
  ],
  ['auth: {cookie_nam: "hunter2"}', 'auth.cookie_nam: Unknown key "cookie_nam". Did you mean auth.cookie_name?'],
  ['auht: {}', 'auht: Unknown key "auht". Did you mean auth?'],
  ['tsl: {enabled: false}', 'tsl: Unknown key "tsl". Did you mean tls?'],
  ['auth: {roles: {g: {cameras: [yard], allow: [lvie]}}}', 'share, or delete. Did you mean live?'],
  ['auth: {roles: {g: {cameras: ["group:ni"]}}}\ncamera_groups: {in: [yard]}', 'Did you mean in?'],
  // A name that only repeats words of known keys isn't a secret.
  ['proxy: {secret: x}', 'proxy.secret: Unknown key "secret". Did you mean proxy.auth_secret?'],
  ['proxy: {session_client: x}', 'proxy.session_client: Unknown key "session_client". Available: '],
  ['proxy: {Secret: x}', 'proxy.Secret: Unknown key "Secret". Did you mean proxy.auth_secret?'],
  ['proxy: {horse_header: x}', 'proxy.…: Unknown key "…". Available: '],
  ['proxy: {secret_: x}', 'proxy.…: Unknown key "…". Available: '],
  ['tls: {"a\\u001b[31m": 1}', 'tls."a\\u001b[31m": Unknown key "a\\u001b[31m".'],
  ['auth: {"a\\u001b[31m": 1}', 'auth.…: Unknown key "…".'],
  ['1: {}', 'config.yml:1:1 1: Unknown key "1".'],
  ['__proto__: {}', '__proto__: Unknown key "__proto__".'],
  ['auth: {constructor: 1}', 'auth.constructor: Unknown key "constructor".'],
  ['<<: {auth: {}}', '"<<": Unknown key "<<".'],
  ['[a]: 1', 'A key must be a plain name.'],
  ['auth: {}\nauth: {}', 'config.yml:2:1 Duplicate key auth, first defined on line 1.'],
  ['auth: {roles: {1: [a], "1": [b]}}', 'Duplicate key 1, first defined on line 1.'],
  [
    'auth: {session_length: !!int "5"',
    'Invalid YAML: Flow map in block collection must be sufficiently indented and end with a }.',
  ],
  ['auth: !custom {}', "config.yml:1:7 Invalid YAML: tags (!…) aren't allowed."],
  ['%YAML 1.1\n---\nauth: {enabled: yes}', 'auth.enabled: Invalid value "yes". Allowed: true or false.'],
  ['auth: *nowhere', 'auth: Unknown alias (*…).'],
  ['auth:\n\tenabled: true', 'config.yml:2:1 Invalid YAML: Tabs are not allowed as indentation.'],
  ['--- {}\n--- {}', 'config.yml:2:1 Invalid YAML: a second document starts here.'],
  ['auth: {cookie_name: "a\u0000b"}', 'config.yml:1:23 Contains a control character. Only text is allowed.'],
  [
    'networking: {gate: {port: 65536}}',
    'networking.gate.port: Invalid value 65536. Allowed: an integer from 0 to 65535.',
  ],
  ['networking: {internal: {port: 8971}}', 'networking.internal.port: 8971 is already used by networking.gate.port.'],
  [
    'networking: {gate: {host: "a b"}}',
    'networking.gate.host: Invalid value "a b". Allowed: an IP address or hostname.',
  ],
  [
    'networking: {gate: {host: 10.0.0.256}}',
    'networking.gate.host: Invalid value "10.0.0.256". Allowed: an IP address or hostname.',
  ],
  ['networking: {internal: {allowed_hosts: ["a:80"]}}', 'networking.internal.allowed_hosts[0]: Invalid value "a:80".'],
  ['tls: {cert_file: a.pem}', 'tls.cert_file: Requires tls.key_file as well.'],
  ['tls: {key_file: a.pem}', 'tls.key_file: Requires tls.cert_file as well.'],
  ['http: {base_path: nvr}', 'http.base_path: Invalid value "nvr".'],
  ['http: {base_path: /a/../b}', 'http.base_path: Invalid value "/a/../b".'],
  ['http: {base_path: //a}', 'http.base_path: Invalid value "//a".'],
  ['http: {base_path: "/a;b"}', 'http.base_path: Invalid value "/a;b".'],
  ['http: {hsts_seconds: -1}', 'http.hsts_seconds: Invalid value -1. Allowed: an integer of at least 0 or null.'],
  [
    'http: {frame_ancestors: ["\'self\'; script-src *"]}',
    'http.frame_ancestors[0]: Invalid value "\'self\'; script-src *".',
  ],
  ['http: {frame_ancestors: []}', 'http.frame_ancestors: Empty list.'],
  ['node: {jobs: []}', 'node.jobs: Empty list. Allowed: a list, each gate or recorder.'],
  ['http: {allowed_origins: [home.example]}', 'http.allowed_origins[0]: Invalid value "home.example".'],
  ['http: {allowed_origins: ["https://home.example/x"]}', 'http.allowed_origins[0]'],
  ['http: {allowed_origins: ["null"]}', 'http.allowed_origins[0]: Invalid value "null".'],
  ['auth: {cookie_name: "a b"}', 'auth.cookie_name: Invalid value "a b".'],
  [
    'auth: {cookie_name: __Host-a}\nhttp: {base_path: /x}',
    'auth.cookie_name: Starts with __Host-, which browsers accept only if http.base_path is /.',
  ],
  [
    'auth: {cookie_name: gatehouse_screen}',
    'auth.cookie_name: gatehouse_screen is the name of another cookie of the service. Choose a different one.',
  ],
  ['auth: {cookie_same_site: Lax}', 'auth.cookie_same_site: Invalid value "Lax". Allowed: lax, strict, or none.'],
  [
    'auth: {session_max_length: 0}',
    'auth.session_max_length: Invalid value 0. Allowed: an integer of at least 1 or null.',
  ],
  ['auth: {failed_login_rate_limit: "5/minute;many/hour"}', 'auth.failed_login_rate_limit: Invalid value "many/hour".'],
  ['auth: {failed_login_rate_limit: 0/minute}', 'auth.failed_login_rate_limit: Invalid value "0/minute".'],
  ['auth: {failed_login_rate_limit: 5/day}', 'auth.failed_login_rate_limit: Invalid value "5/day".'],
  ['auth: {failed_login_rate_limit: ""}', 'auth.failed_login_rate_limit: Invalid value "".'],
  ['auth:\n  failed_login_rate_limit:\n', 'auth.failed_login_rate_limit: Empty.'],
  [
    'auth: {trusted_proxies: [10.0.0.0/33]}',
    'config.yml:1:26 auth.trusted_proxies[0]: Invalid prefix length in "10.0.0.0/33". Use 0 to 32.',
  ],
  [
    'auth: {trusted_proxies: [proxy.lan]}',
    'auth.trusted_proxies[0]: "proxy.lan" isn\'t an IP address or CIDR range. For example, use 10.0.0.0/8 or fd00::/8.',
  ],
  [
    'auth: {trusted_proxies: ["::ffff:10.0.0.0/8"]}',
    'auth.trusted_proxies[0]: IPv4-mapped ranges need a prefix of 96 to 128. Use 10.0.0.0/….',
  ],
  ['auth: {trusted_proxies: 10.0.0.0/8}', 'auth.trusted_proxies: Invalid value "10.0.0.0/8".'],
  [
    'proxy: {trusted_peers: []}',
    'proxy.trusted_peers: Empty list. Allowed: a list of IP addresses or CIDR ranges, or null.',
  ],
  [
    'proxy: {trusted_peers: [x]}',
    'proxy.trusted_peers[0]: "x" isn\'t an IP address or CIDR range. For example, use 10.0.0.0/8 or fd00::/8.',
  ],
  [
    'storage: {s3: {bucket: "?"}}',
    'storage.s3.bucket: Found text. Allowed: 2 to 255 letters, digits, ., _ and -, beginning with a letter or digit; or null.',
  ],
  ['proxy: {auth_secret: ""}', 'proxy.auth_secret: Found empty text. Allowed: printable ASCII text, or null.'],
  [
    'proxy:\n  auth_secret:\n',
    'proxy.auth_secret: Empty. Allowed: printable ASCII text, or null. Or leave the key out.',
  ],
  ['proxy: {auth_secret: "{SERVICE_PROXY_NONE}"}', 'proxy.auth_secret: No value for {SERVICE_PROXY_NONE}.'],
  [
    'proxy: {auth_secret: "{SERVICE_PROXY_BAD}"}',
    'proxy.auth_secret: Use printable ASCII with no leading or trailing spaces.',
  ],
  ['proxy: {separator: ""}', 'proxy.separator: Found empty text. Allowed: non-empty text.'],
  ['proxy: {separator: "\\n"}', "proxy.separator: Contains a control character, which a header can't contain."],
  ['proxy: {default_role: Viewer}', 'proxy.default_role: Role "Viewer" doesn\'t exist. Available: admin, viewer.'],
  [
    'proxy: {header_map: {role_map: {ghost: [a]}}}',
    'proxy.header_map.role_map.ghost: Role "ghost" doesn\'t exist. Available: admin, viewer.',
  ],
  [
    'proxy: {header_map: {role_map: {__proto__: [a]}}}',
    'proxy.header_map.role_map.__proto__: Role "__proto__" doesn\'t exist. Available: admin, viewer.',
  ],
  [
    'proxy: {header_map: {user: X-Foo}}',
    'proxy.header_map.user: Header "X-Foo" isn\'t trusted: only headers listed in /etc/trusted_headers.conf are.',
  ],
  ['proxy: {header_map: {role: remote_user}}', 'proxy.header_map.role: "remote_user" isn\'t a valid header name.'],
  ['proxy: {header_map: {role: remote.user}}', 'proxy.header_map.role: "remote.user" isn\'t a valid header name.'],
  ['proxy: {logout_url: "javascript:alert(1)"}', 'proxy.logout_url: Invalid value "javascript:alert(1)".'],
  ['logout_url: //evil.example', 'logout_url: Invalid value "//evil.example".'],
  ['logout_url: "/\\\\evil.example"', 'logout_url: Invalid value "/\\\\evil.example".'],
  [
    'database: {url: mysql://user:hunter2@db}',
    'database.url: Invalid value. Allowed: sqlite, or postgres://user:password@host/database.',
  ],
  ['recording: {max_gb: 0}', 'recording.max_gb: Invalid value 0. Allowed: a number above 0.'],
  ['logger: {default: loud}', 'logger.default: Invalid value "loud". Allowed: debug, info, warn, or error.'],
  [
    'logger: {logs: {service.api.auth: trace}}',
    'logger.logs."service.api.auth": Invalid value "trace". Allowed: debug, info, warn, or error.',
  ],
  ['audit: {retain_days: 0}', 'audit.retain_days: Invalid value 0. Allowed: an integer of at least 1.'],
  ['cameras: {yard: {}}', 'cameras.yard.source: Required.'],
  ['cameras: {yard: demo:yard}', 'cameras.yard: Found text. Allowed: a map of keys.'],
  ['cameras: {a b: {source: demo:yard}}', 'cameras."a b": Use 1 to 64 letters, digits, _ and - for a camera name.'],
  ['cameras: {"../x": {source: demo:yard}}', 'cameras."../x": Use 1 to 64 letters, digits, _ and - for a camera name.'],
  ['cameras: {yard: {source: "exec:rm"}}', 'cameras.yard.source: Only rtsp, rtsps, rtmp, http and https are allowed.'],
  [
    'cameras: {yard: {source: demo:yard, tittle: x}}',
    'cameras.yard.tittle: Unknown key "tittle". Did you mean cameras.yard.title?',
  ],
])('[CONF-2] %j: %s', (text, problem) => {
  const found = problemsOf(text)
  expect(found).toHaveLength(1)
  expect(found[0]).toContain(problem)
})

test.each([
  // roles                          problem
  ['{admin: [yard]}', 'auth.roles.admin: This is the name of a built-in role.'],
  ['{VIEWER: [yard]}', 'is the name of a built-in role'],
  ['{__proto__: [yard]}', 'is a reserved word'],
  ['{Constructor: [yard]}', 'is a reserved word'],
  ['{prototype: [yard]}', 'is a reserved word'],
  ['{guard: [yard], Guard: [door]}', 'auth.roles.Guard: Role guard exists and differs only in capitalization.'],
  ['{a-b: [yard]}', 'auth.roles.a-b: Use 1 to 64 letters, digits, dots and underscores.'],
  ['{"": [yard]}', 'auth.roles."": Use 1 to 64 letters, digits, dots and underscores.'],
  ['{_: [yard]}', 'auth.roles._: Use at least one letter or digit.'],
  ['{guard: []}', 'auth.roles.guard: Empty list. Allowed: a list with at least one camera or a map of keys.'],
  [
    '{guard: yard}',
    'auth.roles.guard: Invalid value "yard". Allowed: a list with at least one camera or a map of keys.',
  ],
  ['{guard: null}', 'auth.roles.guard: Found null. Allowed: a list with at least one camera or a map of keys.'],
  ['{guard: }', 'auth.roles.guard: Empty. Allowed: a list with at least one camera or a map of keys.'],
  ['{guard: [""]}', 'auth.roles.guard[0]: Found empty text. Allowed: non-empty text.'],
  ['{guard: [5]}', 'auth.roles.guard[0]: Invalid value 5. Allowed: non-empty text. Put it in quotes.'],
])('[ROLE-9] roles %s: %s', (roles, problem) => {
  const found = problemsOf(`auth: {roles: ${roles}}`)
  expect(found).toHaveLength(1)
  expect(found[0]).toContain(problem)
})

test('a camera group can be empty, and a wrong one is said to need a list', () => {
  expect(problemsOf('camera_groups: {porch: []}')).toEqual([])
  const [problem] = problemsOf('camera_groups: {porch: yard}')
  expect(problem).toContain('camera_groups.porch: Invalid value "yard". Allowed: a list of cameras.')
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

test.each(['', '# nothing\n', '---\n', '{}', 'null'])('%j is empty, and all defaults', (text) => {
  const { config, empty } = load(text)
  expect(empty).toBe(true)
  expect(config?.auth).toEqual({
    enabled: true,
    reset_admin_password: false,
    session_length: 86_400,
    session_max_length: null,
    failed_login_rate_limit: '10/minute;60/hour',
    trusted_proxies: [],
    cookie_name: 'gatehouse_token',
    cookie_same_site: 'lax',
    mfa: { origins: [], required_for: [] },
    oidc: {
      issuer: null,
      name: null,
      client_id: null,
      client_secret: null,
      scopes: ['openid', 'profile'],
      groups_claim: 'groups',
      role_map: new Map(),
      default_role: null,
      name_claim: 'preferred_username',
      recheck_interval: 300,
      only: false,
      emergency_user: null,
    },
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
  expect(proxy.header_map).toEqual({ user: null, display_name: null, role: null, role_map: new Map() })
})

test('[PROXY-7] roles keep the order of the file, whatever their names', () => {
  const { auth } = configOf(
    'auth: {roles: {zoo: [yard], 2: [yard], 1: [door], "007": [yard], true: [yard], 1.10: [yard]}}',
  )
  expect([...auth.roles.keys()]).toEqual(['zoo', '2', '1', '007', 'true', '1.10'])
})

test('[RATE-5] a limit of null means no limit', () => {
  expect(configOf('auth: {failed_login_rate_limit: null}').auth.failed_login_rate_limit).toBeNull()
})

test('[PROXY-4] an empty role map counts as none, and header names are compared without case', () => {
  const { proxy } = configOf('proxy: {header_map: {user: Remote-User, role: REMOTE-GROUPS, role_map: {}}}')
  expect(proxy.header_map).toEqual({
    user: 'remote-user',
    display_name: null,
    role: 'remote-groups',
    role_map: new Map(),
  })
})

test.each([
  ['/', '/'],
  ['/nvr', '/nvr/'],
  ['/a/b.c/', '/a/b.c/'],
])('base path %s is %s', (given, path) => {
  expect(configOf(`http: {base_path: ${given}}`).http.base_path).toBe(path)
})

test('[TOK-13] an allowed origin is compared in lower case, as browsers send it', () => {
  expect(configOf('http: {allowed_origins: ["HTTPS://Home.Example:8443"]}').http.allowed_origins).toEqual([
    'https://home.example:8443',
  ])
})

test('[ROLE-9] a camera that no role can see is warned of, and isn’t a problem', () => {
  const { config, warnings } = load('auth:\n  roles:\n    guard: [yard, attic]\n    all: ["*"]\n')
  expect(config).toBeDefined()
  expect(problemLines('config.yml', warnings)).toEqual([
    'config.yml:3:19 auth.roles.guard[1]: Camera "attic" doesn\'t exist, so this has no effect.',
    expect.stringContaining('auth.roles.all: Wildcards work only in a map'),
    'config.yml:4:11 auth.roles.all[0]: Camera "*" doesn\'t exist, so this has no effect.',
  ])
})

test('[ROLE-9] a role whose only entries are groups without cameras is warned of', () => {
  const { config, warnings } = load(
    'camera_groups: {shed: [], porch: [], front: [yard]}\nauth:\n  roles:\n    guard: {cameras: ["group:shed", "group:porch"]}\n    cook: {cameras: ["group:shed", "group:front"]}\n',
  )
  expect(config).toBeDefined()
  expect(problemLines('config.yml', warnings)).toEqual([
    'config.yml:4:13 auth.roles.guard.cameras: These groups have no cameras, so this role allows nothing.',
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
  expect(problemsOf(`auth: {roles: {a: &cams [${many}], ${roles}}}`)[0]).toContain('Too many aliases')
  // An unknown key, and the cameras that are missing beside it.
  expect(problemsOf('auth: &a {roles: {x: *a}}')).toHaveLength(2)
})

test('[CONF-2] a name that no one could type in the UI is no reason not to start: it warns, and is shown in one line', () => {
  const { config, problems, warnings } = load(
    [
      'auth: { oidc: { name: "\\u202eexample" } }',
      'node: { name: "\\u200b" }',
      'cameras:',
      '  yard: { source: "demo:yard", title: "Side\\nyard" }',
      '  door: { source: "demo:door", title: "\\u200b" }',
    ].join('\n'),
  )
  expect(problems).toEqual([])
  expect(warnings.map(({ field, code }) => [field, code])).toEqual([
    ['auth.oidc.name', 'unsupported-characters'],
    ['node.name', 'unsupported-characters'],
    ['cameras.yard.title', 'unsupported-characters'],
    ['cameras.door.title', 'unsupported-characters'],
  ])
  expect([config?.auth.oidc.name, config?.node.name]).toEqual(['example', null])
  expect([...config!.cameras.values()].map(({ title }) => title)).toEqual(['Side yard', null])
})

test('[CONF-2] a line break at the end of a title, as of a YAML block, is not worth a warning', () => {
  const { config, warnings } = load('cameras:\n  yard:\n    source: demo:yard\n    title: |\n      Side yard\n')
  expect([warnings, config?.cameras.get('yard')?.title]).toEqual([[], 'Side yard'])
})
