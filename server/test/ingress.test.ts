import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { stopAll } from './support/cleanups.ts'
import { guideBlock } from './support/fronts.ts'
import { folder, page, path, startAddOn, startIngress, type Signing } from './support/ingress.ts'
import { nginx } from './support/nginx.ts'
import { rawRequest } from './support/raw-request.ts'
import type { InProcessService } from './support/start-service.ts'

test('the guide shows the configuration that the add-on starts with', () => {
  const first = parse(readFileSync(`${folder}/first-config.yml`, 'utf8')) as Signing
  const shown = parse(guideBlock('yaml', 'role_map', page)) as Signing
  const { role_map: _, ...header_map } = shown.proxy.header_map
  const { roles: _roles, ...auth } = shown.auth
  expect(first).toMatchObject({ ...shown, auth, proxy: { ...shown.proxy, header_map } })
})

describe.skipIf(!nginx)('behind nginx as Home Assistant’s ingress', () => {
  let service: InProcessService
  beforeAll(async () => {
    service = await startAddOn()
  })
  afterAll(stopAll)

  const ingress = (places?: Readonly<Record<string, string>>) => startIngress(service, places)

  test('[PROXY-21] [PROXY-22] its user is signed in, by id, and all links stay below its path', async () => {
    const site = await ingress()
    const { json, status } = await site.get(`${path}/api/profile`)
    const ann = { username: '0123456789abcdef0123456789abcdef', display_name: 'Ann Lee', role: 'admin', auth: 'proxy' }
    expect([status, json]).toMatchObject([200, ann])
    expect((await site.get(`${path}/`)).text).toContain(`<base href="${path}/"`)
    expect((await site.get(`${path}/logout`)).headers.location).toBe(`${path}/login`)
  })

  test('[PATH-3] [TOK-13] a change, live video and events work below its path, for its own pages', async () => {
    const site = await ingress()
    const made = (origin: string) => site.put(`${path}/api/roles/night`, { cameras: ['yard'] }, { origin })
    expect((await made('http://evil.example')).status).toBe(403)
    expect((await made(site.base)).status).toBe(201)
    for (const [of, sign] of [
      ['cameras/yard/live', 'message'],
      ['events', 'open'],
    ] as const) {
      const socket = site.socket(`${path}/api/${of}`, { headers: { origin: site.base } })
      await once(socket, sign)
      socket.terminate()
    }
  })

  test('[ROLE-4] another user has the cameras of the role, and one who isn’t listed has none', async () => {
    const neighbor = await ingress({ '0123456789abcdef0123456789abcdef': 'fedcba9876543210fedcba9876543210' })
    const statusOf = async (camera: string) => (await neighbor.get(`${path}/api/cameras/${camera}`)).status
    expect([await statusOf('yard'), await statusOf('office')]).toEqual([200, 403])
    const unlisted = await ingress({ '0123456789abcdef0123456789abcdef': 'f00d' })
    expect((await unlisted.get(`${path}/api/cameras`)).status).toBe(403)
  })

  test('[PROXY-15] a client’s own headers, in any spelling, change nothing', async () => {
    const site = await ingress({ '0123456789abcdef0123456789abcdef': 'f00d' })
    for (const lines of [
      ['x-remote-user-id: 0123456789abcdef0123456789abcdef'],
      ['X_Remote_User_Id: 0123456789abcdef0123456789abcdef', 'X-Ingress-Path: /evil'],
      ['X-Forwarded-Prefix: /evil'],
    ]) {
      const { status } = await rawRequest(site, { target: `${path}/api/profile`, headers: lines })
      expect([lines, status]).toEqual([lines, 403])
      const { body } = await rawRequest(site, { target: `${path}/`, headers: lines })
      expect(body).toContain(`<base href="${path}/"`)
    }
  })

  test('[PROXY-16] past the supervisor, its headers are 401', async () => {
    const forged = { 'x-remote-user-id': '0123456789abcdef0123456789abcdef' }
    expect((await service.gate.get('/api/profile', forged)).status).toBe(401)
  })
})
