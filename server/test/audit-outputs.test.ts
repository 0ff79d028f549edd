import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { AuditPage } from '../src/audit/audit.routes.ts'
import { csvHeader, type OutputLine } from '../src/audit/output/output-line.ts'
import type { Stats } from '../src/system/stats-response.ts'
import { changeConfig } from './support/change-config.ts'
import { stopAll } from './support/cleanups.ts'
import { canMount, fill, mount } from './support/mounts.ts'
import { program } from './support/programs.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import type { Service } from './support/service.ts'
import { startGatehouse } from './support/start-gatehouse.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import { entryIn, tcpReceiver, udpReceiver, unixReceiver } from './support/syslog-receiver.ts'
import { statusOf } from './support/test-client.ts'

const base = { tls: { enabled: false }, cameras: quietCameras }
const withOutputs = (outputs: object) => ({ ...base, audit: { outputs } })
const soon = { timeout: 120_000, interval: 20 }

afterAll(() => stopAll())

const fileIn = ({ configDir }: Service, name = 'audit.jsonl') => join(configDir, name)

const linesOf = (file: string): OutputLine[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as OutputLine)
    : []

const groupsIn = (lines: readonly OutputLine[]) =>
  lines.flatMap(({ action, target }) => (action === 'camera-group.set' ? [target] : []))

/** Makes one audited change. */
async function change({ internal }: Service, name: string): Promise<void> {
  expect(
    (await internal.put(`/api/camera-groups/${name}`, { cameras: ['yard'] }, { 'if-match': '*' })).status,
  ).toBeLessThan(300)
}

const toFile = (path: string) => ({ audit: { outputs: { archive: { type: 'file', path } } } })

const outputsOf = async ({ internal }: Service) =>
  ((await internal.get('/api/stats')).json as Stats).service?.audit_outputs

/** Runs the retries of outputs that fail, which are up to a minute apart. */
async function untilWritten(service: InProcessService, found: () => readonly unknown[], expected: readonly unknown[]) {
  await expect
    .poll(async () => {
      await service.clock.advance(5_000)
      return found()
    }, soon)
    .toEqual(expected)
}

test('[AUD-7] a file gets every entry once, in order, and nothing twice after a restart', async () => {
  let service = await startService({ config: withOutputs({ archive: { type: 'file', path: 'audit.jsonl' } }) })
  const file = fileIn(service)
  for (const name of ['a', 'b', 'c']) await change(service, name)
  await expect.poll(() => groupsIn(linesOf(file)), soon).toEqual(['a', 'b', 'c'])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  // As in the API.
  const [shown] = (
    (await service.internal.get('/api/audit?action=camera-group.set&limit=1')).json as { entries: OutputLine[] }
  ).entries
  expect(linesOf(file).findLast(({ target }) => target === 'c')).toEqual(shown)
  expect(await outputsOf(service)).toEqual([{ name: 'archive', state: 'ok', waiting: 0, missed: 0 }])

  const ann = await service.user('ann', 'viewer')
  expect((await ann.get('/api/audit')).status).toBe(403)
  await service.stop()
  // The stop completed the entry of the denied requests.
  expect(linesOf(file).map(({ action }) => action)).toContain('request.denied')
  service = await service.restart()
  await change(service, 'd')
  await expect.poll(() => groupsIn(linesOf(file)), soon).toEqual(['a', 'b', 'c', 'd'])
  const ids = linesOf(file).map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('[AUD-7] CSV has a header and one line per entry', async () => {
  const service = await startService({
    config: withOutputs({ sheet: { type: 'file', path: 'audit.csv', format: 'csv' } }),
  })
  const file = fileIn(service, 'audit.csv')
  const created = () =>
    (existsSync(file) ? readFileSync(file, 'utf8') : '').split('\r\n').filter((line) => line.includes('group.set'))
  for (const name of ['a', 'b']) await change(service, name)
  await expect
    .poll(created, soon)
    .toEqual([
      expect.stringMatching(/^\d+,[^,]+Z,camera-group.set,success,anonymous,internal,,,127.0.0.1,a,/),
      expect.stringMatching(/,127.0.0.1,b,/),
    ])
  expect(readFileSync(file, 'utf8').startsWith(csvHeader)).toBe(true)
})

test('[AUD-7] a moved or deleted file is created again', async () => {
  const service = await startService({ config: withOutputs({ archive: { type: 'file', path: 'audit.jsonl' } }) })
  const file = fileIn(service)
  await change(service, 'a')
  await expect.poll(() => groupsIn(linesOf(file)), soon).toEqual(['a'])
  renameSync(file, `${file}.1`)
  await change(service, 'b')
  await expect.poll(() => groupsIn(linesOf(file)), soon).toEqual(['b'])
  unlinkSync(file)
  await change(service, 'c')
  await expect.poll(() => groupsIn(linesOf(file)), soon).toEqual(['c'])
  expect(groupsIn(linesOf(`${file}.1`))).toEqual(['a'])
})

test('[AUD-7] a missing folder is said, blocks no request, and loses nothing', async () => {
  const service = await startService({ config: withOutputs({ archive: { type: 'file', path: 'logs/audit.jsonl' } }) })
  const file = fileIn(service, 'logs/audit.jsonl')
  await change(service, 'a')
  await change(service, 'b')
  await service.printed(/audit output failed; retrying/)
  expect(service.output()).toMatch(/ENOENT/)
  await expect
    .poll(() => outputsOf(service), soon)
    .toMatchObject([
      { name: 'archive', state: 'failing', detail: expect.stringContaining('ENOENT'), since: expect.any(Number) },
    ])
  mkdirSync(join(service.configDir, 'logs'))
  await untilWritten(service, () => groupsIn(linesOf(file)), ['a', 'b'])
  await service.printed(/audit output resumed/)
  expect((await outputsOf(service))?.[0]).toMatchObject({ state: 'ok', waiting: 0 })
})

test('[AUD-3] [AUD-7] a use is written when it has ended, with its duration', async () => {
  const service = await startService({
    config: {
      tls: { enabled: false },
      cameras: { yard: { source: 'demo:yard' } },
      audit: { reads: true, outputs: { archive: { type: 'file', path: 'audit.jsonl' } } },
    },
  })
  const file = fileIn(service)
  const snapshot = () => statusOf(service.internal, '/api/cameras/yard/latest.jpg')
  await expect.poll(snapshot).toBe(200)
  await service.clock.advance(60_000)
  expect(await snapshot()).toBe(200)
  const uses = () => linesOf(file).filter(({ action }) => action === 'snapshot')
  expect(uses()).toEqual([])
  await service.clock.advance(150_000)
  await expect.poll(uses, soon).toMatchObject([{ target: 'yard', count: expect.any(Number) }])
  expect(uses()[0]?.duration).toBeGreaterThanOrEqual(60)
})

test.skipIf(!canMount)('[AUD-7] a full disk leaves no half line, and nothing is lost', async () => {
  const service = await startService({ config: base })
  const folder = join(service.configDir, 'small')
  mkdirSync(folder)
  mount('-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder)
  const file = join(folder, 'audit.jsonl')
  expect((await changeConfig(service, toFile('small/audit.jsonl'))).status).toBe(200)
  await change(service, 'a')
  await expect.poll(() => groupsIn(linesOf(file)), soon).toEqual(['a'])
  fill(join(folder, 'filler'))
  const names = Array.from({ length: 30 }, (_, nth) => `group-${nth}`)
  for (const name of names) await change(service, name)
  await service.printed(/ENOSPC/)
  expect(readFileSync(file, 'utf8')).toMatch(/\n$/)
  rmSync(join(folder, 'filler'))
  await untilWritten(service, () => groupsIn(linesOf(file)), ['a', ...names])
})

test('[AUD-7] outputs of a new configuration are taken up without a restart', async () => {
  const service = await startService({ config: base })
  await change(service, 'before')
  expect((await changeConfig(service, toFile('one.jsonl'))).status).toBe(200)
  await expect.poll(() => outputsOf(service), soon).toHaveLength(1)
  await change(service, 'a')
  await expect.poll(() => groupsIn(linesOf(fileIn(service, 'one.jsonl'))), soon).toEqual(['a'])
  expect((await changeConfig(service, toFile('two.jsonl'))).status).toBe(200)
  await change(service, 'b')
  await expect.poll(() => groupsIn(linesOf(fileIn(service, 'two.jsonl'))), soon).toEqual(['b'])
  expect(groupsIn(linesOf(fileIn(service, 'one.jsonl')))).toEqual(['a'])
  expect((await changeConfig(service, { audit: {} })).status).toBe(200)
  await expect.poll(() => outputsOf(service), soon).toEqual([])
})

test.each([
  [{ type: 'file' }, 'audit.outputs.x.path', '.jsonl'],
  [{ type: 'file', path: '/etc/passwd' }, 'audit.outputs.x.path', '.jsonl'],
  [{ type: 'file', path: 'gatehouse.db' }, 'audit.outputs.x.path', '.jsonl'],
  [{ type: 'syslog' }, 'audit.outputs.x.address', 'udp://host:port'],
  [{ type: 'syslog', address: 'http://logs.lan' }, 'audit.outputs.x.address', 'tcp://host:port'],
  [{ type: 'syslog', address: 'unix:/dev/log', facility: 'local8' }, 'audit.outputs.x.facility', 'local7'],
  [{ type: 'syslog', address: 'unix:/dev/log', app_name: 'a b' }, 'audit.outputs.x.app_name', 'letters'],
  [{ type: 'mail' }, 'audit.outputs.x.type', 'syslog'],
])('[AUD-7] the output %j is a problem of %s', async (output, field, allowed) => {
  const service = await startService({ config: base })
  const reply = await changeConfig(service, { audit: { outputs: { x: output } } })
  expect(reply.status).toBe(400)
  expect(reply.text).toContain(field)
  expect(reply.text).toContain(allowed)
})

test('[AUD-7] killed and started again, the service has written every committed entry once', async () => {
  let service = await startGatehouse({ config: withOutputs({ archive: { type: 'file', path: 'audit.jsonl' } }) })
  const file = fileIn(service)
  const names: string[] = []
  for (let round = 0; round < 3; round += 1) {
    for (let nth = 0; nth < 10; nth += 1) {
      names.push(`r${round}-${nth}`)
      await change(service, `r${round}-${nth}`)
    }
    await service.kill()
    service = await service.restart()
  }
  await expect.poll(() => groupsIn(linesOf(file)), soon).toEqual(names)
})

test('[AUD-7] what a kill leaves open is written after the next startup, as far as it was saved', async () => {
  let service = await startGatehouse({ config: withOutputs({ archive: { type: 'file', path: 'audit.jsonl' } }) })
  const file = fileIn(service)
  const ann = await service.user('ann', 'viewer')
  expect((await ann.get('/api/audit')).status).toBe(403)
  const denied = () => linesOf(file).filter(({ action }) => action === 'request.denied')
  // In the database soon, and open for a minute, because more of them would be counted in it.
  await expect
    .poll(
      async () => ((await service.internal.get('/api/audit?action=request.denied')).json as AuditPage).entries,
      soon,
    )
    .toHaveLength(1)
  expect(denied()).toEqual([])
  await service.kill()
  service = await service.restart()
  await expect.poll(denied, soon).toMatchObject([{ user: 'ann', detail: expect.any(String) }])
})

describe('syslog', () => {
  test('[AUD-7] TCP: messages of RFC 5424 in order, and all of them after the receiver was unavailable', async () => {
    const first = await tcpReceiver()
    const address = `tcp://127.0.0.1:${first.port}`
    const service = await startService({
      config: withOutputs({ siem: { type: 'syslog', address, facility: 'audit', app_name: 'nvr' } }),
    })
    const groups = () => groupsIn(first.messages.map(entryIn))
    for (const name of ['a', 'b']) await change(service, name)
    await expect.poll(groups, soon).toEqual(['a', 'b'])
    expect(first.messages[0]).toMatch(/^<110>1 \d{4}-\d\d-\d\dT[\d:.]+Z \S+ nvr \d+ [a-z-]+\.[a-z]+ - \{"id":\d+,/)
    // A receiver that was restarted while nothing was sent costs no attempt.
    await first.stop()
    const second = await tcpReceiver(first.port, first.messages)
    await change(service, 'restarted')
    await expect.poll(groups, soon).toEqual(['a', 'b', 'restarted'])
    expect(service.output()).not.toMatch(/audit output failed/)
    await second.stop()
    await change(service, 'c')
    await service.printed(/audit output failed; retrying/)
    await change(service, 'd')
    await tcpReceiver(first.port, first.messages)
    await untilWritten(service, groups, ['a', 'b', 'restarted', 'c', 'd'])
  })

  test('[AUD-7] UDP: one message per datagram', async () => {
    const receiver = await udpReceiver()
    const service = await startService({
      config: withOutputs({ siem: { type: 'syslog', address: `udp://127.0.0.1:${receiver.port}` } }),
    })
    for (const name of ['a', 'b', 'c']) await change(service, name)
    await expect.poll(() => groupsIn(receiver.messages.map(entryIn)), soon).toEqual(['a', 'b', 'c'])
    expect(receiver.messages.at(-1)).toMatch(/^<134>1 \S+ \S+ gatehouse /)
  })

  const [python, logger] = [program('python'), program('logger')]
  test.skipIf(!python || !logger)(
    '[AUD-7] a Unix datagram socket: in order, and all of them after the daemon was unavailable',
    async () => {
      const service = await startService({ config: base })
      const path = join(service.dir, 'log')
      const first = await unixReceiver(python!, path)
      const outputs = { siem: { type: 'syslog', address: `unix:${path}` } }
      expect((await changeConfig(service, { audit: { outputs } })).status).toBe(200)
      await expect.poll(() => outputsOf(service), soon).toHaveLength(1)
      const groups = () => groupsIn(first.messages.map(entryIn))
      for (const name of ['a', 'b']) await change(service, name)
      await expect.poll(groups, soon).toEqual(['a', 'b'])
      expect(first.messages.at(-1)).toMatch(/^<134>\w{3} [ \d]\d [\d:]{8} .*gatehouse: \{/)
      await first.stop()
      await change(service, 'c')
      await service.printed(/audit output failed; retrying/)
      unlinkSync(path)
      await unixReceiver(python!, path, first.messages)
      await untilWritten(service, groups, ['a', 'b', 'c'])
    },
  )
})
