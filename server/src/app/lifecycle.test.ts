import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLifecycle, type PartName } from './lifecycle.ts'

/** A part whose stop takes a moment. */
const slow = (done: string[], name: string) => ({
  async stop() {
    done.push(`${name} stops`)
    await Promise.resolve()
    done.push(`${name} stopped`)
  },
})

const failed = (error: unknown) => expect.unreachable(String(error))

test('each part is stopped once: phase by phase, and in a phase at the same time', async () => {
  const done: string[] = []
  const lifecycle = createLifecycle()
  for (const name of ['database', 'motion', 'cameras', 'recordings', 'review'] as const) {
    lifecycle.add(name, slow(done, name))
  }
  lifecycle.add('open streams', { stop: () => void done.push('streams') })
  await Promise.all([lifecycle.stop(failed), lifecycle.stop(failed)])
  await lifecycle.stop(failed)
  expect(done).toEqual([
    'streams',
    'cameras stops',
    'motion stops',
    'cameras stopped',
    'motion stopped',
    'recordings stops',
    'recordings stopped',
    'review stops',
    'review stopped',
    'database stops',
    'database stopped',
  ])
})

test('a part that can’t be stopped keeps no other from being stopped', async () => {
  const done: string[] = []
  const failures: [message: string, part: PartName][] = []
  const lifecycle = createLifecycle()
  lifecycle.add('database', slow(done, 'database'))
  lifecycle.add('recordings', { stop: () => Promise.reject(new Error('disk')) })
  lifecycle.add('open streams', slow(done, 'streams'))
  lifecycle.add('share links', {
    stop() {
      throw new Error('socket')
    },
  })
  await lifecycle.stop((error, part) => failures.push([(error as Error).message, part]))
  expect(done).toEqual(['streams stops', 'streams stopped', 'database stops', 'database stopped'])
  expect(failures).toEqual([
    ['socket', 'share links'],
    ['disk', 'recordings'],
  ])
})

test('no part takes the place of another one', () => {
  const lifecycle = createLifecycle()
  const part = lifecycle.add('cameras', { stop: () => undefined })
  expect(() => lifecycle.add('cameras', part)).toThrow('already a part cameras')
})

test('each part of the list is opened in one place', () => {
  const files = ['app.ts', ...globSync('app/*.ts', { cwd: join(import.meta.dirname, '..') })]
  const text = files
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(import.meta.dirname, '..', file), 'utf8'))
    .join('\n')
  const opened = [...text.matchAll(/\bopened\.add\(\s*'([^']+)'/g)].map(([, name]) => name)
  const [, list = ''] = /const phases = \[\n(.*?)\n\] as const/s.exec(text) ?? []
  const listed = [...list.replaceAll(/\/\/.*/g, '').matchAll(/'([^']+)'/g)].map(([, name]) => name)
  expect(listed.length).toBeGreaterThan(20)
  expect(new Set(opened)).toEqual(new Set(listed))
  expect(opened).toHaveLength(listed.length)
})
