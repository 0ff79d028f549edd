import { expect, test } from 'vitest'
import { ConfigSchema } from '../app/config/config.ts'
import { diffConfig, untilRestart } from './diff-config.ts'
import { loadConfig } from '../app/config/load-config.ts'

const parts = {
  mediaDir: '/media',
  trustedHeaders: { names: new Set(['remote-user']), file: '' },
  lookup: () => undefined,
}
const configOf = (text: string) => loadConfig(text, parts).config!

test.each([
  ['', '# same\n', [], []],
  ['', 'auth: {session_length: 5}', ['auth.session_length'], []],
  ['', 'auth: {enabled: false}', [], ['auth.enabled']],
  ['', 'networking: {gate: {port: 1}}\nlogger: {default: debug}', ['logger.default'], ['networking.gate.port']],
  [
    'auth: {roles: {a: [x], b: [y]}}',
    'auth: {roles: {a: [z], c: [y]}}',
    ['auth.roles.a', 'auth.roles.b', 'auth.roles.c'],
    [],
  ],
  ['cameras: {a: {source: demo:yard}}', 'cameras: {a: {source: demo:door}}', ['cameras.a'], []],
  ['', 'proxy: {header_map: {user: remote-user}}', ['proxy.header_map.user'], []],
  [
    '',
    'tls: {enabled: false}\ndatabase: {url: postgres://h/x}\nhttp: {base_path: /x}',
    [],
    ['tls.enabled', 'http.base_path', 'database.url'],
  ],
])('[CONF-5] from %j to %j', (from, to, applied, waiting) => {
  const found = diffConfig(ConfigSchema, configOf(from), configOf(to))
  expect(found.filter(({ restart }) => !restart).map(({ field }) => field)).toEqual(applied)
  expect(found.filter(({ restart }) => restart).map(({ field }) => field)).toEqual(waiting)
})

test('a key that needs a restart keeps its value from the start', () => {
  const started = configOf('')
  const next = untilRestart(
    ConfigSchema,
    started,
    configOf('auth: {enabled: false, session_length: 5}\ntls: {enabled: false}'),
  )
  expect(next.auth).toEqual({ ...started.auth, session_length: 5 })
  expect(next.tls).toEqual(started.tls)
})
