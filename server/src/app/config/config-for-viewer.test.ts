import { expect, test } from 'vitest'
import { scopeOf } from '../../access/grant.ts'
import { loadConfig } from './load-config.ts'
import { redactUrl } from '../../config/redact-url.ts'
import { configForViewer, shownToAdmin } from './config-for-viewer.ts'

const { config, written } = loadConfig(
  `auth: {roles: {guard: [yard]}, oidc: {issuer: "https://id.lan", client_id: x, client_secret: hunter2-oidc}}
proxy: {auth_secret: hunter2-proxy}
database: {url: "postgres://u:hunter2-db@db.lan/x"}
cameras:
  yard: {source: "rtsp://u:{SERVICE_CAM_P}@192.0.2.7/s", title: Yard}
  office:
    source: "rtsp://u:hunter2-cam@192.0.2.8/hunter2-path?k=hunter2-query"
    motion: {detect_source: "rtsp://u:hunter2-cam@192.0.2.8/hunter2-path"}
`,
  { mediaDir: '/m', trustedHeaders: { names: new Set(), file: '' }, lookup: () => 'hunter2-env' },
)

test('[ROLE-5] a role reads only its own cameras from the configuration', () => {
  const scope = scopeOf({ actions: new Set(['live']), cameras: new Set(['yard', 'gone']) })
  expect(configForViewer(scope, config!)).toEqual({ cameras: { yard: { title: 'Yard', enabled: true } } })
})

test('[CONF-3] the running configuration holds no secret, for an admin neither', () => {
  const text = JSON.stringify(shownToAdmin(written!))
  expect(text).not.toContain('hunter2')
  expect(text).toContain('rtsp://***@192.0.2.8/***')
  expect(JSON.parse(text)).toMatchObject({
    auth: { roles: { guard: ['yard'] }, oidc: { issuer: 'https://id.lan', client_secret: '***' } },
    proxy: { auth_secret: '***' },
    cameras: { yard: { title: 'Yard' }, office: { motion: { detect_source: 'rtsp://***@192.0.2.8/***' } } },
  })
})

test.each([
  ['demo:yard', 'demo:yard'],
  ['clips/a.mp4', 'clips/a.mp4'],
  ['sqlite', 'sqlite'],
  ['rtsp://h', 'rtsp://h'],
  ['rtsp://h/', 'rtsp://h/'],
  ['rtsp://u:p@x@h:554/s', 'rtsp://***@h:554/***'],
  ['http://h?token=x', 'http://h/***'],
])('%s is shown as %s', (address, shown) => {
  expect(redactUrl(address)).toBe(shown)
})
